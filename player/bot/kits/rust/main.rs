// SPDX-License-Identifier: Apache-2.0

// A bot in Rust: it reads lines and answers with lines. Change choose.
use std::io::{self, BufRead};

/// choose returns one of the moves in legal, which are the legal moves on the board.
fn choose<'a>(_board: &str, legal: &'a [String]) -> &'a str {
    &legal[legal.len() / 2]
}

fn main() {
    let mut board = String::new();
    let mut legal: Vec<String> = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let (word, rest) = line.split_once(' ').unwrap_or((line.as_str(), ""));
        match word {
            "ugi" => println!("ugiok"),
            "isready" => println!("readyok"),
            "board" => board = rest.to_string(),
            "legalmoves" => legal = rest.split_whitespace().map(String::from).collect(),
            "go" => println!("bestmove {}", choose(&board, &legal)),
            _ => {}
        }
    }
}
