(** The checker, and the proof that it accepts only true claims. *)

From Coq Require Import NArith List Bool Arith Lia FMapPositive.
From Krow Require Import Rules.
Import ListNotations.

Inductive goal := Win | Hold.

(** A pair of cells: if the opponent takes one cell, the prover takes the other. *)
Definition pair := (N * N)%type.

(** An entry has a position with the prover to move, and the prover's move. With [plan] the prover plays by these pairs
    afterwards; without it, the position after every answer needs an entry of its own. *)
Record entry := Entry { at_ : position; move : N; plan : option (list pair) }.

Definition side_eqb (s t : side) : bool :=
  match s, t with First, First => true | Second, Second => true | _, _ => false end.

Definition position_eqb (p q : position) : bool :=
  N.eqb (firsts p) (firsts q) && N.eqb (seconds p) (seconds q) && side_eqb (turn p) (turn q).

Definition mem (c : N) (l : list N) : bool := existsb (N.eqb c) l.

Section Check.

Variable cells : list N.
Variable lines : list (list N).

Definition freeb (p : position) (c : N) : bool := negb (N.testbit (firsts p) c) && negb (N.testbit (seconds p) c).

Definition has_lineb (p : position) (s : side) : bool :=
  existsb (fun l => forallb (fun c => N.testbit (stones p s) c) l) lines.

Fixpoint distinct (l : list N) : bool :=
  match l with [] => true | c :: r => negb (mem c r) && distinct r end.

Definition both (ps : list pair) : list N := flat_map (fun x => [fst x; snd x]) ps.

(** The opponent of the prover [s] is to move. On each line the prover has a stone, or there are both cells of a pair. The pairs
    are free and distinct. *)
Definition paired (s : side) (q : position) (ps : list pair) : bool :=
  N.eqb (N.land (firsts q) (seconds q)) 0 &&
  distinct (both ps) &&
  forallb (fun c => mem c cells && freeb q c) (both ps) &&
  forallb (fun l => existsb (fun c => N.testbit (stones q s) c) l ||
                    existsb (fun x => mem (fst x) l && mem (snd x) l) ps) lines.

Definition table := PositiveMap.t entry.

Definition key (p : position) : positive :=
  N.succ_pos (N.lxor (firsts p) (N.shiftl (seconds p) (N.of_nat (length cells)))).

Definition enter (t : table) (e : entry) : table := PositiveMap.add (key (at_ e)) e t.

Definition build (es : list entry) : table := fold_left enter es (PositiveMap.empty entry).

Definition covered (t : table) (p : position) : bool :=
  match PositiveMap.find (key p) t with Some e => position_eqb (at_ e) p | None => false end.

Definition full (p : position) : bool := negb (existsb (freeb p) cells).

Definition is_hold (g : goal) : bool := match g with Win => false | Hold => true end.

(** The opponent of the prover [s] is to move in [q], where nobody has a line. *)
Definition answered (g : goal) (s : side) (t : table) (q : position) (pl : option (list pair)) : bool :=
  if full q then is_hold g
  else match pl with
       | Some ps => is_hold g && paired s q ps
       | None =>
         forallb (fun c => negb (freeb q c) ||
                           (let r := play q c in
                            negb (has_lineb r (other s)) &&
                            (if full r then is_hold g else covered t r))) cells
       end.

Definition check_entry (g : goal) (s : side) (t : table) (e : entry) : bool :=
  let p := at_ e in
  let q := play p (move e) in
  side_eqb (turn p) s && negb (has_lineb p First) && negb (has_lineb p Second) &&
  mem (move e) cells && freeb p (move e) &&
  (has_lineb q s || answered g s t q (plan e)).

(** [check g s start pl es]: the entries prove that side [s] attains the goal from [start]. If the other side is to move there,
    [pl] may be the prover's plan. *)
Definition check (g : goal) (s : side) (start : position) (pl : option (list pair)) (es : list entry) : bool :=
  let t := build es in
  negb (has_lineb start First) && negb (has_lineb start Second) &&
  forallb (check_entry g s t) es &&
  (if side_eqb (turn start) s then covered t start else answered g s t start pl).

(** * The proof *)

Definition attains (g : goal) (s : side) (p : position) : Prop :=
  match g with Win => wins cells lines s p | Hold => holds cells lines s p end.

Lemma side_eqb_eq : forall s t, side_eqb s t = true -> s = t.
Proof. destruct s, t; simpl; congruence. Qed.

Lemma position_eqb_eq : forall p q, position_eqb p q = true -> p = q.
Proof.
  intros [a b c] [d e f]; unfold position_eqb; simpl. rewrite !andb_true_iff, !N.eqb_eq.
  intros [[-> ->] H]. apply side_eqb_eq in H. subst. reflexivity.
Qed.

Lemma mem_In : forall c l, mem c l = true <-> In c l.
Proof.
  intros. unfold mem. rewrite existsb_exists. split.
  - intros (x & H & E). apply N.eqb_eq in E. subst. exact H.
  - intros H. exists c. split; [ exact H | apply N.eqb_refl ].
Qed.

Lemma has_lineb_iff : forall p s, has_lineb p s = true <-> has_line lines p s.
Proof.
  intros. unfold has_lineb, has_line. rewrite existsb_exists.
  split; intros (l & H & A); exists l; (split; [ exact H | ]).
  - intros c Hc. rewrite forallb_forall in A. exact (A c Hc).
  - rewrite forallb_forall. exact A.
Qed.

Lemma has_lineb_not : forall p s, has_lineb p s = false <-> ~ has_line lines p s.
Proof. intros. rewrite <- has_lineb_iff. destruct (has_lineb p s); split; congruence. Qed.

Lemma no_lines : forall p s, ~ has_line lines p s -> ~ has_line lines p (other s) ->
  ~ has_line lines p First /\ ~ has_line lines p Second.
Proof. intros p [] A B; simpl in B; auto. Qed.

Lemma free_iff : forall p c, free cells p c <-> In c cells /\ freeb p c = true.
Proof.
  intros. unfold free, freeb. rewrite andb_true_iff, !negb_true_iff. tauto.
Qed.

Lemma full_iff : forall p, full p = true <-> ~ exists c, free cells p c.
Proof.
  intros. unfold full. rewrite negb_true_iff. split.
  - intros H (c & F). apply free_iff in F. destruct F as [I F].
    assert (existsb (freeb p) cells = true) by (apply existsb_exists; eauto). congruence.
  - intros H. destruct (existsb (freeb p) cells) eqn:E; [ | reflexivity ].
    apply existsb_exists in E. destruct E as (c & I & F). exfalso. apply H. exists c. apply free_iff. auto.
Qed.

Lemma not_full : forall p, full p = false -> exists c, free cells p c.
Proof.
  intros p H. unfold full in H. apply negb_false_iff, existsb_exists in H.
  destruct H as (c & I & F). exists c. apply free_iff. auto.
Qed.

(** The stones after a move. *)
Lemma stones_other : forall p c s, turn p = other s -> stones (play p c) s = stones p s.
Proof. intros [a b t] c s T; simpl in *; subst; destruct s; reflexivity. Qed.

Lemma stones_own : forall p c s, turn p = s -> stones (play p c) s = N.setbit (stones p s) c.
Proof. intros [a b t] c s T; simpl in *; subst; destruct s; reflexivity. Qed.

Lemma turn_play : forall p c, turn (play p c) = other (turn p).
Proof. intros [a b []] c; reflexivity. Qed.

Lemma line_same : forall p q s, stones p s = stones q s -> (has_line lines p s <-> has_line lines q s).
Proof. intros p q s E. unfold has_line. rewrite E. tauto. Qed.

Lemma freeb_play : forall p c d, freeb (play p c) d = freeb p d && negb (N.eqb c d).
Proof.
  intros [a b []] c d; unfold freeb; simpl;
    rewrite N.setbit_eqb; destruct (N.eqb c d), (N.testbit a d), (N.testbit b d); reflexivity.
Qed.

Lemma freeb_stones : forall p c, freeb p c = true <-> forall s, N.testbit (stones p s) c = false.
Proof.
  intros. unfold freeb. rewrite andb_true_iff, !negb_true_iff. split.
  - intros [A B] []; assumption.
  - intros H. split; [ exact (H First) | exact (H Second) ].
Qed.

(** Each move leaves fewer free cells, so every game ends. *)
Definition left (p : position) : nat := length (filter (freeb p) cells).

Lemma filter_le : forall (f g : N -> bool) l, (forall x, g x = true -> f x = true) ->
  length (filter g l) <= length (filter f l).
Proof.
  intros f g l H. induction l as [ | x l IH ]; simpl; [ lia | ].
  destruct (g x) eqn:G.
  - rewrite (H x G). simpl. lia.
  - destruct (f x); simpl; lia.
Qed.

Lemma filter_lt : forall (f g : N -> bool) l c, (forall x, g x = true -> f x = true) ->
  In c l -> f c = true -> g c = false -> length (filter g l) < length (filter f l).
Proof.
  intros f g l c H I F G. induction l as [ | x l IH ]; [ destruct I | ].
  simpl. destruct I as [-> | I].
  - rewrite F, G. simpl. pose proof (filter_le f g l H). lia.
  - specialize (IH I). destruct (g x) eqn:E.
    + rewrite (H x E). simpl. lia.
    + destruct (f x); simpl; lia.
Qed.

Lemma left_play : forall p c, free cells p c -> left (play p c) < left p.
Proof.
  intros p c F. apply free_iff in F. destruct F as [I F]. unfold left.
  apply filter_lt with c; auto.
  - intros x. rewrite freeb_play, andb_true_iff. tauto.
  - rewrite freeb_play, N.eqb_refl, andb_false_r. reflexivity.
Qed.

(** ** Pairs *)

Definition apart (p : position) : Prop := forall c, N.testbit (firsts p) c = true -> N.testbit (seconds p) c = true -> False.

Lemma apart_sides : forall p s c, apart p -> N.testbit (stones p s) c = true -> N.testbit (stones p (other s)) c = true -> False.
Proof. intros p [] c A H1 H2; simpl in *; eapply A; eauto. Qed.

Lemma apart_play : forall p c, apart p -> freeb p c = true -> apart (play p c).
Proof.
  intros [a b []] c A F d; apply freeb_stones with (s := First) in F as F1; apply freeb_stones with (s := Second) in F as F2;
    simpl in *; rewrite N.setbit_eqb; destruct (N.eqb_spec c d); subst; simpl; intros; try congruence; eapply A; eauto.
Qed.

(** A pair is good if both cells are free, or the prover has a stone on one of them. *)
Definition good (s : side) (q : position) (x : pair) : Prop :=
  (freeb q (fst x) = true /\ freeb q (snd x) = true) \/
  N.testbit (stones q s) (fst x) = true \/ N.testbit (stones q s) (snd x) = true.

Record safe (s : side) (ps : list pair) (q : position) : Prop := {
  safe_apart : apart q;
  safe_lines : forall l, In l lines ->
    (exists c, In c l /\ N.testbit (stones q s) c = true) \/ (exists x, In x ps /\ In (fst x) l /\ In (snd x) l);
  safe_pairs : forall x, In x ps -> good s q x }.

Lemma distinct_cons : forall c l, distinct (c :: l) = true -> ~ In c l /\ distinct l = true.
Proof.
  intros c l. simpl. rewrite andb_true_iff, negb_true_iff. intros [H D]. split; [ | exact D ].
  intros I. apply mem_In in I. congruence.
Qed.

Lemma in_both : forall ps x c, In x ps -> c = fst x \/ c = snd x -> In c (both ps).
Proof.
  intros ps x c I E. unfold both. apply in_flat_map. exists x. split; [ exact I | ]. simpl. intuition congruence.
Qed.

Lemma pair_two : forall ps x, distinct (both ps) = true -> In x ps -> fst x <> snd x.
Proof.
  induction ps as [ | y ps IH ]; intros x D I; [ destruct I | ].
  change (both (y :: ps)) with (fst y :: snd y :: both ps) in D.
  apply distinct_cons in D. destruct D as [N1 D]. apply distinct_cons in D. destruct D as [N2 D].
  destruct I as [-> | I]; [ | auto ].
  intros E. apply N1. left. auto.
Qed.

Lemma pair_unique : forall ps x y c, distinct (both ps) = true -> In x ps -> In y ps ->
  (c = fst x \/ c = snd x) -> (c = fst y \/ c = snd y) -> x = y.
Proof.
  induction ps as [ | z ps IH ]; intros x y c D I J Ex Ey; [ destruct I | ].
  change (both (z :: ps)) with (fst z :: snd z :: both ps) in D.
  apply distinct_cons in D. destruct D as [N1 D]. apply distinct_cons in D. destruct D as [N2 D].
  destruct I as [-> | I], J as [-> | J]; auto.
  - exfalso. pose proof (in_both _ _ _ J Ey). destruct Ex; subst; [ apply N1; right; assumption | apply N2; assumption ].
  - exfalso. pose proof (in_both _ _ _ I Ex). destruct Ey; subst; [ apply N1; right; assumption | apply N2; assumption ].
  - eauto.
Qed.

(** The opponent has no line, even after one more move. *)
Lemma safe_no_line : forall s ps q c, distinct (both ps) = true -> safe s ps q -> turn q = other s -> freeb q c = true ->
  ~ has_line lines (play q c) (other s).
Proof.
  intros s ps q c D [A L P] T F (l & I & H).
  rewrite stones_own in H by exact T.
  destruct (L l I) as [(d & Id & Hd) | (x & Ix & I1 & I2)].
  - specialize (H d Id). rewrite N.setbit_eqb in H. destruct (N.eqb_spec c d).
    + subst. rewrite freeb_stones in F. rewrite F in Hd. discriminate.
    + simpl in H. eapply apart_sides; eauto.
  - pose proof (H _ I1) as H1. pose proof (H _ I2) as H2. rewrite N.setbit_eqb in H1, H2.
    pose proof (pair_two _ _ D Ix) as Two.
    assert (Q : N.testbit (stones q (other s)) (fst x) = true \/ N.testbit (stones q (other s)) (snd x) = true).
    { destruct (N.eqb_spec c (fst x)), (N.eqb_spec c (snd x)); simpl in *; try congruence; auto. }
    destruct (P x Ix) as [[G1 G2] | [G | G]].
    + rewrite freeb_stones in G1, G2. destruct Q as [Q | Q]; [ rewrite G1 in Q | rewrite G2 in Q ]; discriminate.
    + destruct (N.eqb_spec c (fst x)).
      * subst. rewrite freeb_stones in F. rewrite F in G. discriminate.
      * simpl in H1. eapply apart_sides; eauto.
    + destruct (N.eqb_spec c (snd x)).
      * subst. rewrite freeb_stones in F. rewrite F in G. discriminate.
      * simpl in H2. eapply apart_sides; eauto.
Qed.

(** After the opponent's move [c] the prover's answer [d] keeps the position safe, if [d] is the partner of [c] where [c] was in a
    free pair. *)
Lemma safe_answer : forall s ps q c d, distinct (both ps) = true -> safe s ps q -> turn q = other s ->
  freeb q c = true -> freeb (play q c) d = true ->
  (forall x, In x ps -> freeb q (fst x) = true -> freeb q (snd x) = true ->
     (c = fst x -> d = snd x) /\ (c = snd x -> d = fst x)) ->
  safe s ps (play (play q c) d).
Proof.
  intros s ps q c d D [A L P] T F G Partner.
  assert (T' : turn (play q c) = s) by (rewrite turn_play, T, other_other; reflexivity).
  assert (S : stones (play (play q c) d) s = N.setbit (stones q s) d).
  { rewrite stones_own by exact T'. rewrite stones_other by exact T. reflexivity. }
  assert (More : forall e, N.testbit (stones q s) e = true -> N.testbit (stones (play (play q c) d) s) e = true).
  { intros e He. rewrite S, N.setbit_eqb, He. apply orb_true_r. }
  assert (Own : N.testbit (stones (play (play q c) d) s) d = true).
  { rewrite S, N.setbit_eqb, N.eqb_refl. reflexivity. }
  split.
  - apply apart_play; [ apply apart_play; assumption | exact G ].
  - intros l I. destruct (L l I) as [(e & Ie & He) | H]; [ left; eauto | right; exact H ].
  - intros x Ix. destruct (P x Ix) as [[F1 F2] | [H | H]]; [ | right; left; auto | right; right; auto ].
    destruct (Partner x Ix F1 F2) as [P1 P2].
    destruct (N.eqb_spec c (fst x)) as [E1 | E1]; [ right; right; rewrite <- (P1 E1); exact Own | ].
    destruct (N.eqb_spec c (snd x)) as [E2 | E2]; [ right; left; rewrite <- (P2 E2); exact Own | ].
    destruct (N.eqb_spec d (fst x)) as [E3 | E3]; [ right; left; rewrite <- E3; exact Own | ].
    destruct (N.eqb_spec d (snd x)) as [E4 | E4]; [ right; right; rewrite <- E4; exact Own | ].
    left. rewrite !freeb_play, F1, F2. simpl.
    rewrite !andb_true_iff, !negb_true_iff, !N.eqb_neq. auto.
Qed.

(** The partner of [c] among the pairs, if [c] is in a pair that is still free. *)
Definition partner_of (q : position) (c : N) (x : pair) : bool :=
  freeb q (fst x) && freeb q (snd x) && (N.eqb c (fst x) || N.eqb c (snd x)).

Lemma safe_holds : forall n s ps q, left q < n -> distinct (both ps) = true -> (forall c, In c (both ps) -> In c cells) ->
  safe s ps q -> turn q = other s -> ~ has_line lines q First -> ~ has_line lines q Second -> holds cells lines s q.
Proof.
  induction n as [ | n IH ]; intros s ps q Small D InC Safe T L1 L2; [ lia | ].
  destruct (full q) eqn:Full; [ apply holds_full; auto; apply full_iff; exact Full | ].
  apply holds_answer; [ split; [ exact L1 | split; [ exact L2 | apply not_full; exact Full ] ] | exact T | ].
  intros c Fc. pose proof (left_play _ _ Fc) as Less. pose proof Fc as Fc'. apply free_iff in Fc'. destruct Fc' as [Ic Bc].
  set (r := play q c) in *.
  assert (NoOther : ~ has_line lines r (other s)) by (eapply safe_no_line; eauto).
  assert (NoOwn : ~ has_line lines r s).
  { unfold r. rewrite line_same with (q := q) by (apply stones_other; exact T). destruct s; assumption. }
  destruct (no_lines r s NoOwn NoOther) as [R1 R2].
  assert (Tr : turn r = s) by (unfold r; rewrite turn_play, T, other_other; reflexivity).
  destruct (full r) eqn:FullR; [ apply holds_full; auto; apply full_iff; exact FullR | ].
  (* the answer *)
  assert (Reply : exists d, free cells r d /\
     (forall x, In x ps -> freeb q (fst x) = true -> freeb q (snd x) = true ->
        (c = fst x -> d = snd x) /\ (c = snd x -> d = fst x))).
  { destruct (find (partner_of q c) ps) as [ x | ] eqn:Find.
    - apply find_some in Find. destruct Find as [Ix Hx]. unfold partner_of in Hx.
      rewrite !andb_true_iff, orb_true_iff, !N.eqb_eq in Hx. destruct Hx as [[F1 F2] E].
      pose proof (pair_two _ _ D Ix) as Two.
      assert (Unique : forall y, In y ps -> c = fst y \/ c = snd y -> y = x) by (intros; eapply pair_unique; eauto).
      destruct E as [E | E].
      + exists (snd x). split.
        * apply free_iff. split; [ apply InC; eapply in_both; eauto | ].
          unfold r. rewrite freeb_play, F2. simpl. rewrite negb_true_iff, N.eqb_neq. congruence.
        * intros y Iy _ _. split; intros Ey.
          -- rewrite (Unique y Iy (or_introl Ey)). reflexivity.
          -- pose proof (Unique y Iy (or_intror Ey)). subst y. congruence.
      + exists (fst x). split.
        * apply free_iff. split; [ apply InC; eapply in_both; eauto | ].
          unfold r. rewrite freeb_play, F1. simpl. rewrite negb_true_iff, N.eqb_neq. congruence.
        * intros y Iy _ _. split; intros Ey.
          -- pose proof (Unique y Iy (or_introl Ey)). subst y. congruence.
          -- rewrite (Unique y Iy (or_intror Ey)). reflexivity.
    - apply not_full in FullR. destruct FullR as (d & Fd). exists d. split; [ exact Fd | ].
      intros x Ix F1 F2. pose proof (find_none _ _ Find x Ix) as H. unfold partner_of in H. rewrite F1, F2 in H. simpl in H.
      apply orb_false_iff in H. rewrite !N.eqb_neq in H. destruct H. split; congruence. }
  destruct Reply as (d & Fd & Partner).
  pose proof (left_play _ _ Fd) as Less2. pose proof Fd as Fd'. apply free_iff in Fd'. destruct Fd' as [Id Bd].
  apply holds_move with d; [ split; [ exact R1 | split; [ exact R2 | eauto ] ] | exact Tr | exact Fd | ].
  assert (Safe' : safe s ps (play r d)) by (apply safe_answer; assumption).
  assert (NoOther' : ~ has_line lines (play r d) (other s)).
  { rewrite line_same with (q := r); [ exact NoOther | ]. apply stones_other. rewrite other_other. exact Tr. }
  destruct (has_lineb (play r d) s) eqn:Own.
  - apply holds_now; [ apply has_lineb_iff; exact Own | exact NoOther' ].
  - apply has_lineb_not in Own. destruct (no_lines _ s Own NoOther').
    apply IH with ps; auto; [ lia | ]. rewrite turn_play, Tr. reflexivity.
Qed.

Lemma paired_safe : forall s q ps, paired s q ps = true ->
  safe s ps q /\ distinct (both ps) = true /\ (forall c, In c (both ps) -> In c cells).
Proof.
  intros s q ps H. unfold paired in H. rewrite !andb_true_iff in H. destruct H as [[[A D] F] L].
  rewrite forallb_forall in F, L.
  assert (G : forall c, In c (both ps) -> In c cells /\ freeb q c = true).
  { intros c I. specialize (F c I). rewrite andb_true_iff, mem_In in F. exact F. }
  split; [ split | split; [ exact D | intros c I; apply G; exact I ] ].
  - intros c H1 H2. apply N.eqb_eq in A. assert (E : N.testbit (N.land (firsts q) (seconds q)) c = true).
    { rewrite N.land_spec, H1, H2. reflexivity. }
    rewrite A, N.bits_0 in E. discriminate.
  - intros l I. specialize (L l I). apply orb_true_iff in L. destruct L as [L | L].
    + left. apply existsb_exists in L. exact L.
    + right. apply existsb_exists in L. destruct L as (x & Ix & E). rewrite andb_true_iff, !mem_In in E. exists x. tauto.
  - intros x I. left. split; apply G; eapply in_both; eauto.
Qed.

(** ** The table *)

Lemma find_build : forall es t k e, PositiveMap.find k (fold_left enter es t) = Some e ->
  In e es \/ PositiveMap.find k t = Some e.
Proof.
  induction es as [ | x es IH ]; intros t k e H; [ right; exact H | ].
  simpl in H. destruct (IH _ _ _ H) as [I | F]; [ left; right; exact I | ].
  unfold enter in F. destruct (Pos.eq_dec k (key (at_ x))) as [-> | Neq].
  - rewrite PositiveMap.gss in F. left. left. congruence.
  - rewrite PositiveMap.gso in F by exact Neq. right. exact F.
Qed.

Lemma covered_In : forall es p, covered (build es) p = true -> exists e, In e es /\ at_ e = p.
Proof.
  intros es p H. unfold covered in H.
  destruct (PositiveMap.find (key p) (build es)) as [ e | ] eqn:F; [ | discriminate ].
  destruct (find_build _ _ _ _ F) as [I | I]; [ | rewrite PositiveMap.gempty in I; discriminate ].
  exists e. split; [ exact I | apply position_eqb_eq; exact H ].
Qed.

Lemma attains_now : forall g s p, has_line lines p s -> ~ has_line lines p (other s) -> attains g s p.
Proof. intros [] s p A B; [ apply wins_now | apply holds_now ]; assumption. Qed.

Lemma attains_move : forall g s p c, ongoing cells lines p -> turn p = s -> free cells p c -> attains g s (play p c) ->
  attains g s p.
Proof. intros [] s p c A B C D; [ eapply wins_move | eapply holds_move ]; eauto. Qed.

Lemma attains_answer : forall g s p, ongoing cells lines p -> turn p = other s ->
  (forall c, free cells p c -> attains g s (play p c)) -> attains g s p.
Proof. intros [] s p A B C; [ apply wins_answer | apply holds_answer ]; assumption. Qed.

Lemma attains_full : forall g s p, is_hold g = true -> ~ has_line lines p First -> ~ has_line lines p Second -> full p = true ->
  attains g s p.
Proof. intros [] s p A B C D; [ discriminate | apply holds_full; auto; apply full_iff; exact D ]. Qed.

Lemma answered_attains : forall g s es q pl,
  (forall e, In e es -> left (at_ e) < left q -> attains g s (at_ e)) ->
  turn q = other s -> ~ has_line lines q First -> ~ has_line lines q Second ->
  answered g s (build es) q pl = true -> attains g s q.
Proof.
  intros g s es q pl Smaller T L1 L2 H. unfold answered in H.
  destruct (full q) eqn:Full; [ apply attains_full; assumption | ].
  destruct pl as [ ps | ].
  - apply andb_true_iff in H. destruct H as [G H]. destruct g; [ discriminate | ].
    apply paired_safe in H. destruct H as (S & D & I). simpl. eapply safe_holds; eauto.
  - rewrite forallb_forall in H.
    apply attains_answer; [ split; [ exact L1 | split; [ exact L2 | apply not_full; exact Full ] ] | exact T | ].
    intros c Fc. pose proof (left_play _ _ Fc) as Less. apply free_iff in Fc. destruct Fc as [Ic Bc].
    specialize (H c Ic). rewrite Bc in H. simpl in H. apply andb_true_iff in H. destruct H as [NoOther H].
    apply negb_true_iff in NoOther. apply has_lineb_not in NoOther.
    destruct (full (play q c)) eqn:FullR.
    + assert (NoOwn : ~ has_line lines (play q c) s).
      { rewrite line_same with (q := q) by (apply stones_other; exact T). destruct s; assumption. }
      destruct (no_lines _ s NoOwn NoOther). apply attains_full; assumption.
    + destruct (covered_In _ _ H) as (e & Ie & E). rewrite <- E in *. apply Smaller; assumption.
Qed.

Lemma entries_attain : forall g s es, forallb (check_entry g s (build es)) es = true ->
  forall n e, left (at_ e) < n -> In e es -> attains g s (at_ e).
Proof.
  intros g s es All. rewrite forallb_forall in All.
  induction n as [ | n IH ]; intros e Small I; [ lia | ].
  pose proof (All e I) as H. unfold check_entry in H. rewrite !andb_true_iff in H.
  destruct H as [[[[[T L1] L2] Ic] Fc] H].
  apply side_eqb_eq in T. apply mem_In in Ic. apply negb_true_iff, has_lineb_not in L1. apply negb_true_iff, has_lineb_not in L2.
  assert (F : free cells (at_ e) (move e)) by (apply free_iff; auto).
  pose proof (left_play _ _ F) as Less.
  apply attains_move with (move e); auto.
  { split; [ exact L1 | split; [ exact L2 | eauto ] ]. }
  assert (NoOther : ~ has_line lines (play (at_ e) (move e)) (other s)).
  { rewrite line_same with (q := at_ e); [ destruct s; assumption | ]. apply stones_other. rewrite other_other. exact T. }
  apply orb_true_iff in H. destruct (has_lineb (play (at_ e) (move e)) s) eqn:Own.
  - apply attains_now; [ apply has_lineb_iff; exact Own | exact NoOther ].
  - destruct H as [H | H]; [ discriminate | ]. apply has_lineb_not in Own. destruct (no_lines _ s Own NoOther).
    eapply answered_attains; eauto.
    + intros x Ix Lx. apply IH; [ lia | exact Ix ].
    + rewrite turn_play, T. reflexivity.
Qed.

Theorem check_sound : forall g s start pl es, check g s start pl es = true -> attains g s start.
Proof.
  intros g s start pl es H. unfold check in H. rewrite !andb_true_iff in H. destruct H as [[[L1 L2] All] Root].
  apply negb_true_iff, has_lineb_not in L1. apply negb_true_iff, has_lineb_not in L2.
  pose proof (entries_attain g s es All) as Entries.
  destruct (side_eqb (turn start) s) eqn:T.
  - destruct (covered_In _ _ Root) as (e & Ie & <-). apply Entries with (S (left (at_ e))); auto.
  - eapply answered_attains; eauto.
    destruct (turn start), s; simpl in *; try discriminate; reflexivity.
Qed.

End Check.

(** * m,n,k games *)

Definition check_mnk (columns rows k : nat) (g : goal) (s : side) (pl : option (list pair)) (es : list entry) : bool :=
  check (board_cells columns rows) (board_lines columns rows k) g s empty pl es.

(** The checker proves values of the game that Rules.v defines, from the empty board with the first side to move. *)
Theorem check_mnk_wins : forall columns rows k s pl es, check_mnk columns rows k Win s pl es = true ->
  wins (board_cells columns rows) (board_lines columns rows k) s empty.
Proof. intros columns rows k s pl es H. exact (check_sound _ _ Win s empty pl es H). Qed.

Theorem check_mnk_holds : forall columns rows k s pl es, check_mnk columns rows k Hold s pl es = true ->
  holds (board_cells columns rows) (board_lines columns rows k) s empty.
Proof. intros columns rows k s pl es H. exact (check_sound _ _ Hold s empty pl es H). Qed.

Print Assumptions check_mnk_wins.
Print Assumptions check_mnk_holds.
Print Assumptions wins_excludes_holds.
