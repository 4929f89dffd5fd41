// SPDX-License-Identifier: Apache-2.0

#include "textflag.h"

// Eight children are 128 bytes, and come in the order 0 4 1 5 2 6 3 7.
DATA order<>+0(SB)/8, $0
DATA order<>+8(SB)/8, $4
DATA order<>+16(SB)/8, $1
DATA order<>+24(SB)/8, $5
DATA order<>+32(SB)/8, $2
DATA order<>+40(SB)/8, $6
DATA order<>+48(SB)/8, $3
DATA order<>+56(SB)/8, $7
GLOBL order<>(SB), RODATA|NOPTR, $64

// LOAD reads the next eight children, as far as there are that many.
//
//	SI children   CX how many   DX, K1, K2 scratch
//	Z3 links   Y4 visits   Y5 values, all 0 where there is no child
#define LOAD \
	LEAQ         (CX)(CX*1), DX   \
	MOVL         $0xffff, AX      \
	BZHIL        DX, AX, DX       \
	KMOVW        DX, K1           \
	SHRL         $8, DX           \
	KMOVW        DX, K2           \
	VMOVDQU64.Z  0(SI), K1, Z0    \
	VMOVDQU64.Z  64(SI), K2, Z1   \
	VPUNPCKLQDQ  Z1, Z0, Z2       \
	VPUNPCKHQDQ  Z1, Z0, Z3       \
	VPMOVQD      Z2, Y4           \
	VPSRLQ       $32, Z2, Z5      \
	VPMOVQD      Z5, Y5

// func pickAVX512(children *node, n int, explore float32, need uint64) uint64
//
//	Y8 explore for each shade   Z9 need   Z10 the low bound's bits   Z11 numbers of the children   Z12 the greatest   Z13 8
TEXT ·pickAVX512(SB), NOSPLIT, $0-40
	MOVQ         children+0(FP), SI
	MOVQ         n+8(FP), CX
	VBROADCASTSS explore+16(FP), Y8
	VMULPS       ·shades(SB), Y8, Y8
	VPBROADCASTQ need+24(FP), Z9
	MOVQ         $(3<<48), AX
	VPBROADCASTQ AX, Z10
	VMOVDQU64    order<>(SB), Z11
	VPXORQ       Z12, Z12, Z12
	MOVQ         $8, AX
	VPBROADCASTQ AX, Z13

eight:
	LOAD
	VCVTUDQ2PS Y4, Y4
	VSQRTPS    Y4, Y4
	VPSRLQ     $53, Z3, Z6
	VPMOVQD    Z6, Y6
	VPERMPS    Y8, Y6, Y6         // of the low three bits
	VDIVPS     Y4, Y6, Y4
	VADDPS     Y4, Y5, Y5
	VPMOVZXDQ  Y5, Z5
	VPSLLQ     $8, Z5, Z5
	VPORQ      Z11, Z5, Z5
	VPSRLQ     $2, Z3, Z6         // the high bound to where the low one is
	VPXORQ     Z3, Z6, Z6
	VPTESTMQ   Z10, Z6, K3        // not the same
	VPANDQ     Z9, Z3, Z7
	VPCMPEQQ   Z9, Z7, K3, K3
	VPMAXUQ    Z5, Z12, K3, Z12
	VPADDQ     Z13, Z11, Z11
	ADDQ       $128, SI
	SUBQ       $8, CX
	JG         eight

	VEXTRACTI64X4 $1, Z12, Y0
	VPMAXUQ       Y0, Y12, Y12
	VEXTRACTI128  $1, Y12, X0
	VPMAXUQ       X0, X12, X12
	VPSHUFD       $0x4e, X12, X0
	VPMAXUQ       X0, X12, X12
	VMOVQ         X12, AX
	MOVQ          AX, ret+32(FP)
	VZEROUPPER
	RET

// func gatherAVX512(children *node, n int, f *family)
//
//	Y8 sum   Y9 best   Y10 visits   Z11 links
TEXT ·gatherAVX512(SB), NOSPLIT, $0-24
	MOVQ   children+0(FP), SI
	MOVQ   n+8(FP), CX
	MOVQ   f+16(FP), DI
	VPXORQ Z8, Z8, Z8
	VPXORQ Z9, Z9, Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z11, Z11, Z11

eight:
	LOAD
	VPMAXUD    Y5, Y9, Y9
	VPADDD     Y4, Y10, Y10
	VPORQ      Z3, Z11, Z11
	VCVTUDQ2PS Y4, Y4
	VMULPS     Y4, Y5, Y5
	VADDPS     Y5, Y8, Y8
	ADDQ       $128, SI
	SUBQ       $8, CX
	JG         eight

	VEXTRACTI64X4 $1, Z11, Y3
	VEXTRACTF128  $1, Y8, X0
	VEXTRACTI128  $1, Y9, X1
	VEXTRACTI128  $1, Y10, X2
	VPORQ         Y3, Y11, Y11
	VADDPS        X0, X8, X8
	VPMAXUD       X1, X9, X9
	VPADDD        X2, X10, X10
	VEXTRACTI128  $1, Y11, X3
	VPSHUFD       $0x4e, X8, X0
	VPSHUFD       $0x4e, X9, X1
	VPSHUFD       $0x4e, X10, X2
	VPORQ         X3, X11, X11
	VADDPS        X0, X8, X8
	VPMAXUD       X1, X9, X9
	VPADDD        X2, X10, X10
	VPSHUFD       $0x4e, X11, X3
	VPSHUFD       $0xb1, X8, X0
	VPSHUFD       $0xb1, X9, X1
	VPSHUFD       $0xb1, X10, X2
	VPORQ         X3, X11, X11
	VADDSS        X0, X8, X8
	VPMAXUD       X1, X9, X9
	VPADDD        X2, X10, X10
	VMOVSS        X8, 0(DI)
	VMOVD         X9, 4(DI)
	VMOVD         X10, 8(DI)
	VMOVQ         X11, 16(DI)
	VZEROUPPER
	RET
