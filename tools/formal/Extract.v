(** The checker as an OCaml program. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Krow Require Import Rules Checker.

Extraction Language OCaml.
Extraction "checker.ml" check_mnk.
