(* SPDX-License-Identifier: Apache-2.0 *)

(* Reads a strategy, as unfold.mjs prints it, and gives it to the checker that was extracted from Checker.v. It exits with 0 only
   if the checker accepts the strategy. *)

open Checker

let rec nat n = if n = 0 then O else S (nat (n - 1))
let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))
let number n = if n = 0 then N0 else Npos (positive n)

(* The bits of the cells on which the text has the letter. A board of up to 62 cells fits into an int. *)
let stones letter text =
  let bits = ref 0 in
  String.iteri (fun c l -> if l = letter then bits := !bits lor (1 lsl c)) text;
  number !bits

(* Cells as numbers. *)
let rec pairs = function
  | a :: b :: rest -> (number (int_of_string a), number (int_of_string b)) :: pairs rest
  | [] -> []
  | _ -> failwith "a pair has two cells"

let words line = List.filter (fun w -> w <> "") (String.split_on_char ' ' line)

let plan_of = function [] -> None | "pairs" :: rest -> Some (pairs rest) | _ -> failwith "no plan"

let entry side line =
  match words line with
  | text :: move :: rest ->
    let at_ = { firsts = stones 'X' text; seconds = stones 'O' text; turn = side } in
    { at_; move = number (int_of_string move); plan = plan_of rest }
  | _ -> failwith ("not an entry: " ^ line)

let rec rest before = match input_line stdin with line -> rest (line :: before) | exception End_of_file -> List.rev before

let () =
  let head = words (input_line stdin) in
  let lines = rest [] in
  match head with
  | columns :: rows :: k :: goal :: side :: root ->
    let n = int_of_string in
    if n columns * n rows > 62 || n columns < 1 || n rows < 1 || n k < 1 then failwith "1 to 62 cells, and k of at least 1";
    let prover = match side with "first" -> First | "second" -> Second | _ -> failwith "no side" in
    let aim = match goal with "win" -> Win | "hold" -> Hold | _ -> failwith "no goal" in
    let entries = List.rev (List.rev_map (entry prover) lines) in
    if not (check_mnk (nat (n columns)) (nat (n rows)) (nat (n k)) aim prover (plan_of root) entries) then begin
      print_endline "refused";
      exit 1
    end;
    (* By check_mnk_draws in Steal.v, a draw is proved if the second side holds. *)
    let claim = match aim, prover with
      | Win, _ -> "the " ^ side ^ " side wins"
      | Hold, Second -> "the value is a draw"
      | Hold, First -> "the first side wins or draws" in
    Printf.printf "proved: on an empty board of %s x %s with %s in a row, %s (%d entries)\n" columns rows k claim
      (List.length entries)
  | _ -> failwith "no first line"
