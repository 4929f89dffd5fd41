{ lib, stdenvNoCC, fetchurl, installShellFiles }:

let
  files = {
    x86_64-linux = { name = "linux-amd64"; sha256 = "{{sum "krow-VERSION-linux-amd64.tar.gz"}}"; };
    aarch64-linux = { name = "linux-arm64"; sha256 = "{{sum "krow-VERSION-linux-arm64.tar.gz"}}"; };
    x86_64-darwin = { name = "darwin-amd64"; sha256 = "{{sum "krow-VERSION-darwin-amd64.tar.gz"}}"; };
    aarch64-darwin = { name = "darwin-arm64"; sha256 = "{{sum "krow-VERSION-darwin-arm64.tar.gz"}}"; };
  };
  file = files.${stdenvNoCC.hostPlatform.system};
in
stdenvNoCC.mkDerivation rec {
  pname = "krow";
  version = "{{.Number}}";
  src = fetchurl {
    url = "{{.Download}}/krow-${version}-${file.name}.tar.gz";
    inherit (file) sha256;
  };
  nativeBuildInputs = [ installShellFiles ];
  installPhase = ''
    install -Dm755 -t $out/bin krow pbrain-krow
    installManPage man/*.1
    installShellCompletion --bash --name krow completions/krow.bash
    installShellCompletion --zsh --name _krow completions/_krow
    installShellCompletion --fish completions/krow.fish
  '';
  meta = {
    description = "{{.Description}}";
    homepage = "{{.Homepage}}";
    license = lib.licenses.asl20;
    platforms = builtins.attrNames files;
    mainProgram = "krow";
  };
}
