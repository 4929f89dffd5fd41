class Krow < Formula
  desc "{{.Description}}"
  homepage "{{.Homepage}}"
  version "{{.Number}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{.Download}}/krow-{{.Number}}-darwin-arm64.tar.gz"
      sha256 "{{sum "krow-VERSION-darwin-arm64.tar.gz"}}"
    end
    on_intel do
      url "{{.Download}}/krow-{{.Number}}-darwin-amd64.tar.gz"
      sha256 "{{sum "krow-VERSION-darwin-amd64.tar.gz"}}"
    end
  end

  on_linux do
    on_arm do
      url "{{.Download}}/krow-{{.Number}}-linux-arm64.tar.gz"
      sha256 "{{sum "krow-VERSION-linux-arm64.tar.gz"}}"
    end
    on_intel do
      url "{{.Download}}/krow-{{.Number}}-linux-amd64.tar.gz"
      sha256 "{{sum "krow-VERSION-linux-amd64.tar.gz"}}"
    end
  end

  def install
    bin.install "krow", "pbrain-krow"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/krow.bash" => "krow"
    zsh_completion.install "completions/_krow"
    fish_completion.install "completions/krow.fish"
  end

  test do
    assert_match "krow v#{version}", shell_output("#{bin}/krow version")
    assert_match "win", shell_output("#{bin}/krow solve connect4:4x4,k=3 --json")
  end
end
