(** On an empty board the first side can win or draw: otherwise it could use the second side's strategy, because one more stone
    of its own never hurts (strategy stealing). *)

From Coq Require Import NArith List Bool Arith Lia.
From Krow Require Import Rules Checker.
Import ListNotations.

Section Steal.

Variable cells : list N.
Variable lines : list (list N).

Definition sub (a b : N) : Prop := forall c, N.testbit a c = true -> N.testbit b c = true.

(** Side [s] has at least as many stones in [q] as in [p], and the other side at most as many, on the same cells. *)
Definition better (s : side) (p q : position) : Prop :=
  sub (stones p s) (stones q s) /\ sub (stones q (other s)) (stones p (other s)).

Lemma sub_set : forall a b c, sub a b -> sub a (N.setbit b c).
Proof. intros a b c H d Hd. rewrite N.setbit_eqb, (H d Hd). apply orb_true_r. Qed.

Lemma set_sub : forall a b c, sub a b -> N.testbit b c = true -> sub (N.setbit a c) b.
Proof.
  intros a b c H Hc d Hd. rewrite N.setbit_eqb in Hd.
  destruct (N.eqb_spec c d); subst; [ exact Hc | apply H; exact Hd ].
Qed.

Lemma set_both : forall a b c, sub a b -> sub (N.setbit a c) (N.setbit b c).
Proof.
  intros a b c H d Hd. rewrite N.setbit_eqb in *. destruct (N.eqb c d); simpl in *; auto.
Qed.

Lemma line_sub : forall p q s, sub (stones p s) (stones q s) -> has_line lines p s -> has_line lines q s.
Proof. intros p q s H (l & I & A). exists l. split; auto. Qed.

Lemma free_not : forall p c s, free cells p c -> N.testbit (stones p s) c = false.
Proof. intros p c s (_ & A & B). destruct s; assumption. Qed.

(** A cell of the board that is not free has a stone. *)
Lemma stone_on : forall p c s, In c cells -> ~ free cells p c ->
  N.testbit (stones p s) c = true \/ N.testbit (stones p (other s)) c = true.
Proof.
  intros p c s I F. destruct (N.testbit (stones p s) c) eqn:A; [ auto | ].
  destruct (N.testbit (stones p (other s)) c) eqn:B; [ auto | ].
  exfalso. apply F. split; [ exact I | ]. destruct s; simpl in *; auto.
Qed.

Lemma free_dec : forall p c, In c cells -> free cells p c \/ ~ free cells p c.
Proof.
  intros p c I. destruct (freeb p c) eqn:E.
  - left. apply free_iff. auto.
  - right. intros F. apply free_iff in F. destruct F. congruence.
Qed.

(** If the board is full, a side that wins a worse position has a line. *)
Lemma full_line : forall s p, wins cells lines s p -> forall q, better s p q -> ~ (exists c, free cells q c) ->
  has_line lines q s.
Proof.
  intros s p W. induction W as [p L _ | p c G T F _ IH | p G T _ IH]; intros q [B1 B2] Full.
  - eapply line_sub; eauto.
  - apply IH; [ | exact Full ]. split.
    + rewrite stones_own by exact T. apply set_sub; [ exact B1 | ].
      destruct (stone_on q c s) as [H | H]; [ exact (proj1 F) | intros X; apply Full; eauto | exact H | ].
      apply B2 in H. rewrite (free_not p c (other s) F) in H. discriminate.
    + rewrite (stones_other p c (other s)); [ exact B2 | rewrite other_other; exact T ].
  - destruct G as (_ & _ & c & F). apply IH with c; auto. split.
    + rewrite stones_other by exact T. exact B1.
    + rewrite stones_own by exact T. apply sub_set. exact B2.
Qed.

(** A side that wins also wins if it has more stones, if the other side has fewer, or if it is to move instead of the other
    side. *)
Lemma better_wins : forall s p, wins cells lines s p -> forall n q, left cells q < n -> better s p q ->
  turn p = turn q \/ (turn p = other s /\ turn q = s) -> wins cells lines s q.
Proof.
  intros s p W. induction W as [p L L' | p c G T F Wc IH | p G T Wc IH]; intros n.
  - intros q _ [B1 B2] _. apply wins_now; [ eapply line_sub; eauto | intros X; apply L'; eapply line_sub; eauto ].
  - intros q Small B Turns. pose proof (wins_move cells lines s p c G T F Wc) as Wp.
    assert (NoOther : ~ has_line lines q (other s)).
    { intros X. apply (ongoing_no_line _ _ _ (other s) G). eapply line_sub; [ apply B | exact X ]. }
    destruct (has_lineb lines q s) eqn:Own; [ apply wins_now; [ apply has_lineb_iff; exact Own | exact NoOther ] | ].
    apply has_lineb_not in Own. destruct (no_lines lines q s Own NoOther) as [N1 N2].
    destruct (full cells q) eqn:Full.
    { exfalso. apply Own. eapply full_line; eauto. apply full_iff. exact Full. }
    apply not_full in Full.
    assert (Tq : turn q = s).
    { destruct Turns as [E | [E _]]; [ congruence | ]. exfalso. rewrite T in E. exact (other_not s (eq_sym E)). }
    destruct B as [B1 B2]. destruct (free_dec q c (proj1 F)) as [Fq | Fq].
    + apply wins_move with c; [ split; [ exact N1 | split; [ exact N2 | exact Full ] ] | exact Tq | exact Fq | ].
      apply IH with (S (left cells (play q c))); [ lia | | left; rewrite !turn_play; congruence ]. split.
      * rewrite !stones_own by assumption. apply set_both. exact B1.
      * rewrite !(stones_other _ c (other s)); [ exact B2 | rewrite other_other; exact T | rewrite other_other; exact Tq ].
    + apply IH with n; [ exact Small | | right; split; [ rewrite turn_play, T; reflexivity | exact Tq ] ]. split.
      * rewrite stones_own by exact T. apply set_sub; [ exact B1 | ].
        destruct (stone_on q c s) as [H | H]; [ exact (proj1 F) | exact Fq | exact H | ].
        apply B2 in H. rewrite (free_not p c (other s) F) in H. discriminate.
      * rewrite (stones_other p c (other s)); [ exact B2 | rewrite other_other; exact T ].
  - pose proof (wins_answer cells lines s p G T Wc) as Wp.
    induction n as [ | n Less ]; intros q Small B Turns; [ lia | ].
    assert (NoOther : ~ has_line lines q (other s)).
    { intros X. apply (ongoing_no_line _ _ _ (other s) G). eapply line_sub; [ apply B | exact X ]. }
    destruct (has_lineb lines q s) eqn:Own; [ apply wins_now; [ apply has_lineb_iff; exact Own | exact NoOther ] | ].
    apply has_lineb_not in Own. destruct (no_lines lines q s Own NoOther) as [N1 N2].
    destruct (full cells q) eqn:Full.
    { exfalso. apply Own. eapply full_line; eauto. apply full_iff. exact Full. }
    apply not_full in Full. destruct B as [B1 B2].
    destruct Turns as [E | [_ Tq]].
    + assert (Tq : turn q = other s) by congruence.
      apply wins_answer; [ split; [ exact N1 | split; [ exact N2 | exact Full ] ] | exact Tq | ].
      intros c Fq. destruct (free_dec p c (proj1 Fq)) as [Fp | Fp].
      * apply IH with (c := c) (n := S (left cells (play q c))); [ exact Fp | lia | | left; rewrite !turn_play; congruence ].
        split.
        -- rewrite !stones_other by assumption. exact B1.
        -- rewrite !stones_own by assumption. apply set_both. exact B2.
      * apply Less; [ pose proof (left_play _ _ _ Fq); lia | | right; split; [ exact T | ] ].
        -- split.
           ++ rewrite stones_other by exact Tq. exact B1.
           ++ rewrite stones_own by exact Tq. apply set_sub; [ exact B2 | ].
              destruct (stone_on p c s) as [H | H]; [ exact (proj1 Fq) | exact Fp | | exact H ].
              apply B1 in H. rewrite (free_not q c s Fq) in H. discriminate.
        -- rewrite turn_play, Tq, other_other. reflexivity.
    + destruct Full as (d & Fd).
      apply wins_move with d; [ split; [ exact N1 | split; [ exact N2 | eauto ] ] | exact Tq | exact Fd | ].
      apply Less; [ pose proof (left_play _ _ _ Fd); lia | | left; rewrite turn_play, Tq; exact T ]. split.
      * rewrite stones_own by exact Tq. apply sub_set. exact B1.
      * rewrite (stones_other q d (other s)); [ exact B2 | rewrite other_other; exact Tq ].
Qed.

(** Every position without a line has a value. *)
Lemma exists_or_all : forall (P Q : N -> Prop) l, (forall c, In c l -> P c \/ Q c) ->
  (exists c, In c l /\ P c) \/ (forall c, In c l -> Q c).
Proof.
  intros P Q. induction l as [ | x l IH ]; intros H; [ right; intros c [] | ].
  destruct (H x (or_introl eq_refl)) as [Hx | Hx]; [ left; exists x; split; [ left; reflexivity | exact Hx ] | ].
  destruct IH as [(c & I & Hc) | A].
  { intros. apply H. right. assumption. }
  { left. exists c. split; [ right; exact I | exact Hc ]. }
  right. intros c [<- | I]; auto.
Qed.

Theorem valued : forall s n p, left cells p < n -> ~ has_line lines p First -> ~ has_line lines p Second ->
  wins cells lines s p \/ holds cells lines (other s) p.
Proof.
  intros s. induction n as [ | n IH ]; intros p Small L1 L2; [ lia | ].
  assert (NoS : ~ has_line lines p s) by (destruct s; assumption).
  assert (NoO : ~ has_line lines p (other s)) by (destruct s; assumption).
  destruct (full cells p) eqn:Full; [ right; apply holds_full; auto; apply full_iff; exact Full | ].
  apply not_full in Full.
  assert (G : ongoing cells lines p) by (split; [ exact L1 | split; [ exact L2 | exact Full ] ]).
  assert (Next : forall c, free cells p c -> wins cells lines s (play p c) \/ holds cells lines (other s) (play p c)).
  { intros c F. pose proof (left_play _ _ _ F) as Less.
    destruct (has_lineb lines (play p c) s) eqn:A, (has_lineb lines (play p c) (other s)) eqn:B.
    - exfalso. apply has_lineb_iff in A, B. assert (E : turn p = s \/ turn p = other s) by (destruct (turn p), s; auto).
      destruct E as [E | E].
      + apply NoO. rewrite line_same with (q := play p c); [ exact B | ].
        symmetry. apply stones_other. rewrite other_other. exact E.
      + apply NoS. rewrite line_same with (q := play p c); [ exact A | ]. symmetry. apply stones_other. exact E.
    - left. apply wins_now; [ apply has_lineb_iff; exact A | apply has_lineb_not; exact B ].
    - right. apply holds_now; [ apply has_lineb_iff; exact B | rewrite other_other; apply has_lineb_not; exact A ].
    - apply has_lineb_not in A, B. destruct (no_lines lines _ s A B). apply IH; auto. lia. }
  assert (E : turn p = s \/ turn p = other s) by (destruct (turn p), s; auto).
  destruct E as [E | E].
  - destruct (exists_or_all (fun c => free cells p c /\ wins cells lines s (play p c))
                (fun c => free cells p c -> holds cells lines (other s) (play p c)) cells) as [(c & _ & F & W) | A].
    + intros c I. destruct (free_dec p c I) as [F | F]; [ destruct (Next c F); auto | right; tauto ].
    + left. apply wins_move with c; assumption.
    + right. apply holds_answer; [ exact G | rewrite other_other; exact E | intros c F; apply A; [ exact (proj1 F) | exact F ] ].
  - destruct (exists_or_all (fun c => free cells p c /\ holds cells lines (other s) (play p c))
                (fun c => free cells p c -> wins cells lines s (play p c)) cells) as [(c & _ & F & H) | A].
    + intros c I. destruct (free_dec p c I) as [F | F]; [ destruct (Next c F); auto | right; tauto ].
    + right. apply holds_move with c; assumption.
    + left. apply wins_answer; [ exact G | exact E | intros c F; apply A; [ exact (proj1 F) | exact F ] ].
Qed.

(** The same position with the sides exchanged. *)
Definition exchanged (p : position) : position := Position (seconds p) (firsts p) (other (turn p)).

Lemma stones_exchanged : forall p s, stones (exchanged p) s = stones p (other s).
Proof. intros p []; reflexivity. Qed.

Lemma line_exchanged : forall p s, has_line lines (exchanged p) s <-> has_line lines p (other s).
Proof. intros p s. unfold has_line. rewrite stones_exchanged. tauto. Qed.

Lemma free_exchanged : forall p c, free cells (exchanged p) c <-> free cells p c.
Proof. intros p c. unfold free. simpl. tauto. Qed.

Lemma play_exchanged : forall p c, exchanged (play p c) = play (exchanged p) c.
Proof. intros [a b []] c; reflexivity. Qed.

Lemma ongoing_exchanged : forall p, ongoing cells lines p -> ongoing cells lines (exchanged p).
Proof.
  intros p (A & B & c & F). split; [ rewrite line_exchanged; exact B | split; [ rewrite line_exchanged; exact A | ] ].
  exists c. apply free_exchanged. exact F.
Qed.

Lemma wins_exchanged : forall s p, wins cells lines s p -> wins cells lines (other s) (exchanged p).
Proof.
  intros s p W. induction W as [p A B | p c G T F _ IH | p G T _ IH].
  - apply wins_now; rewrite line_exchanged, ?other_other; assumption.
  - apply wins_move with c;
      [ apply ongoing_exchanged; exact G | simpl; rewrite T; reflexivity | apply free_exchanged; exact F | ].
    rewrite <- play_exchanged. exact IH.
  - apply wins_answer; [ apply ongoing_exchanged; exact G | simpl; rewrite T; reflexivity | ].
    intros c F. rewrite <- play_exchanged. apply IH. apply free_exchanged. exact F.
Qed.

Lemma wins_holds : forall s p, wins cells lines s p -> holds cells lines s p.
Proof.
  intros s p W. induction W; [ apply holds_now | eapply holds_move | apply holds_answer ]; eauto.
Qed.

Theorem first_holds : (forall l, In l lines -> l <> []) -> holds cells lines First empty.
Proof.
  intros NotEmpty.
  assert (NoLine : forall s, ~ has_line lines empty s).
  { intros s (l & I & A). destruct l as [ | c l ]; [ exact (NotEmpty _ I eq_refl) | ].
    specialize (A c (or_introl eq_refl)). destruct s; simpl in A; discriminate. }
  destruct (valued Second (S (left cells empty)) empty) as [W | H]; auto.
  exfalso. apply (wins_excludes_holds _ _ Second empty W). apply wins_holds.
  inversion W as [q A B | q c G T F _ | q G T Next]; subst; [ exfalso; eapply NoLine; eauto | discriminate | ].
  destruct G as (_ & _ & c & F). specialize (Next c F). apply wins_exchanged in Next.
  apply better_wins with (p := exchanged (play empty c)) (n := S (left cells empty)); auto.
  split; simpl; intros d; rewrite ?N.bits_0; intros; discriminate.
Qed.

End Steal.

Lemma board_lines_not_empty : forall columns rows k, k <> 0 -> forall l, In l (board_lines columns rows k) -> l <> [].
Proof.
  intros columns rows k K l I E. subst. unfold board_lines in I. apply in_flat_map in I. destruct I as (y & _ & I).
  apply in_flat_map in I. destruct I as (x & _ & I). unfold lines_from in I.
  destruct k as [ | k ]; [ congruence | ].
  destruct ((x + S k <=? columns) && (y <? rows)), ((y + S k <=? rows) && (x <? columns)),
    ((x + S k <=? columns) && (y + S k <=? rows)); simpl in I; intuition discriminate.
Qed.

(** If the second side wins or draws, the value is a draw: the first side wins or draws too. *)
Theorem check_mnk_draws : forall columns rows k pl es, k <> 0 -> check_mnk columns rows k Hold Second pl es = true ->
  holds (board_cells columns rows) (board_lines columns rows k) First empty /\
  holds (board_cells columns rows) (board_lines columns rows k) Second empty.
Proof.
  intros columns rows k pl es K H. split; [ | eapply check_mnk_holds; eauto ].
  apply first_holds. apply board_lines_not_empty. exact K.
Qed.

Print Assumptions check_mnk_draws.
