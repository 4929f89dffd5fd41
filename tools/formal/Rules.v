(** The rules of m,n,k games, the values that they define, and what the checker must prove.

    The definitions in this file are what a reader has to believe. The other files are proved from them. *)

From Coq Require Import NArith List Bool Arith Lia.
Import ListNotations.

Inductive side := First | Second.

Definition other (s : side) : side := match s with First => Second | Second => First end.

(** Cells are numbers. A position has the set of cells with stones of each side, as the bits of a number, and the side to move. *)
Record position := Position { firsts : N; seconds : N; turn : side }.

Definition stones (p : position) (s : side) : N := match s with First => firsts p | Second => seconds p end.

(** The position after the side to move has placed a stone on cell [c]. *)
Definition play (p : position) (c : N) : position :=
  match turn p with
  | First => Position (N.setbit (firsts p) c) (seconds p) Second
  | Second => Position (firsts p) (N.setbit (seconds p) c) First
  end.

Definition empty : position := Position 0 0 First.

Section Game.

(** The cells of the board, and its lines: the side that first has stones on all cells of a line wins. *)
Variable cells : list N.
Variable lines : list (list N).

Definition free (p : position) (c : N) : Prop :=
  In c cells /\ N.testbit (firsts p) c = false /\ N.testbit (seconds p) c = false.

Definition has_line (p : position) (s : side) : Prop :=
  exists l, In l lines /\ forall c, In c l -> N.testbit (stones p s) c = true.

Definition ongoing (p : position) : Prop :=
  ~ has_line p First /\ ~ has_line p Second /\ exists c, free p c.

(** [wins s p]: side [s] can win from position [p], whatever the other side plays. *)
Inductive wins (s : side) : position -> Prop :=
| wins_now : forall p, has_line p s -> ~ has_line p (other s) -> wins s p
| wins_move : forall p c, ongoing p -> turn p = s -> free p c -> wins s (play p c) -> wins s p
| wins_answer : forall p, ongoing p -> turn p = other s -> (forall c, free p c -> wins s (play p c)) -> wins s p.

(** [holds s p]: side [s] can win or draw from position [p], whatever the other side plays. *)
Inductive holds (s : side) : position -> Prop :=
| holds_now : forall p, has_line p s -> ~ has_line p (other s) -> holds s p
| holds_full : forall p, ~ has_line p First -> ~ has_line p Second -> ~ (exists c, free p c) -> holds s p
| holds_move : forall p c, ongoing p -> turn p = s -> free p c -> holds s (play p c) -> holds s p
| holds_answer : forall p, ongoing p -> turn p = other s -> (forall c, free p c -> holds s (play p c)) -> holds s p.

Lemma other_other : forall s, other (other s) = s.
Proof. destruct s; reflexivity. Qed.

Lemma other_not : forall s, other s <> s.
Proof. destruct s; discriminate. Qed.

Lemma ongoing_no_line : forall p s, ongoing p -> ~ has_line p s.
Proof. intros p s (H1 & H2 & _). destruct s; assumption. Qed.

(** The definitions exclude each other: if one side wins, the other side cannot hold. *)
Theorem wins_excludes_holds : forall s p, wins s p -> ~ holds (other s) p.
Proof.
  intros s p W. induction W as [p L N' | p c G T F _ IH | p G T _ IH]; intros H.
  - inversion H as [q A B | q A B | q c (A & B & _) | q (A & B & _)]; subst;
      [ rewrite other_other in B | destruct s | destruct s | destruct s ]; auto.
  - inversion H as [q A B | q A B C | q d A B C D | q A B C]; subst.
    + exact (ongoing_no_line _ _ G A).
    + apply C. exists c. exact F.
    + exact (other_not (turn p) (eq_sym B)).
    + exact (IH (C c F)).
  - inversion H as [q A B | q A B C | q d A B C D | q A B C]; subst.
    + exact (ongoing_no_line _ _ G A).
    + destruct G as (_ & _ & G). auto.
    + exact (IH d C D).
    + rewrite B, other_other in T. exact (other_not s (eq_sym T)).
Qed.

End Game.

(** The board of an m,n,k game. The cell in column [x] and row [y] has the number [x + y * columns]. *)
Definition board_cells (columns rows : nat) : list N := map N.of_nat (seq 0 (columns * rows)).

Definition cell (columns x y : nat) : N := N.of_nat (x + y * columns).

(** The lines of [k] cells that begin in column [x] and go to the right, upwards, to the upper right and to the lower right. *)
Definition lines_from (columns rows k x y : nat) : list (list N) :=
  let across := x + k <=? columns in
  let up := y + k <=? rows in
  (if across && (y <? rows) then [map (fun i => cell columns (x + i) y) (seq 0 k)] else []) ++
  (if up && (x <? columns) then [map (fun i => cell columns x (y + i)) (seq 0 k)] else []) ++
  (if across && up then
     [map (fun i => cell columns (x + i) (y + i)) (seq 0 k);
      map (fun i => cell columns (x + i) (y + (k - 1 - i))) (seq 0 k)]
   else []).

Definition board_lines (columns rows k : nat) : list (list N) :=
  flat_map (fun y => flat_map (fun x => lines_from columns rows k x y) (seq 0 columns)) (seq 0 rows).
