// SPDX-License-Identifier: Apache-2.0

// A bot in AssemblyScript, a TypeScript that compiles to WebAssembly: it reads lines and answers with lines. Change choose.
import { fd_read, fd_write } from "@assemblyscript/wasi-shim/assembly/bindings/wasi_snapshot_preview1";

/** choose returns one of the moves in legal, which are the legal moves on the board. */
function choose(_board: string, legal: string[]): string {
  return legal[legal.length / 2];
}

const chunk = new ArrayBuffer(4096);
const vector = memory.data(8);
const count = memory.data(4);
let text = "";

/** read returns the next line, or null at the end of the input. */
function read(): string | null {
  while (true) {
    const end = text.indexOf("\n");
    if (end >= 0) {
      const line = text.substring(0, end);
      text = text.substring(end + 1);
      return line.trim();
    }
    store<usize>(vector, changetype<usize>(chunk));
    store<usize>(vector + 4, 4096);
    if (fd_read(0, vector, 1, count) != 0 || load<u32>(count) == 0) return null;
    text += String.UTF8.decodeUnsafe(changetype<usize>(chunk), load<u32>(count));
  }
}

/** say writes a line. */
function say(line: string): void {
  const bytes = String.UTF8.encode(line + "\n");
  store<usize>(vector, changetype<usize>(bytes));
  store<usize>(vector + 4, bytes.byteLength);
  fd_write(1, vector, 1, count);
}

export function _start(): void {
  let board = "";
  let legal: string[] = [];
  for (let line = read(); line != null; line = read()) {
    const cut = line.indexOf(" ");
    const word = cut < 0 ? line : line.substring(0, cut);
    const rest = cut < 0 ? "" : line.substring(cut + 1);
    if (word == "ugi") say("ugiok");
    else if (word == "isready") say("readyok");
    else if (word == "board") board = rest;
    else if (word == "legalmoves") legal = rest.split(" ");
    else if (word == "go") say("bestmove " + choose(board, legal));
  }
}
