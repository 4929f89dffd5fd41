// SPDX-License-Identifier: Apache-2.0

#include "go_asm.h"
#include "textflag.h"

// The 128 cells of a row of 16 bits are 256 bytes: 8 registers Y, or 4 registers Z.

// ROW makes of an index of 16 bits the address of its row.
#define ROW(at, reg) \
	MOVWLZX at, reg \
	SHLQ    $8, reg \
	ADDQ    R8, reg

// func addAVX2(dst, rows *row, index *uint16, n int)
TEXT ·addAVX2(SB), NOSPLIT, $0-32
	MOVQ  dst+0(FP), DI
	MOVQ  rows+8(FP), R8
	MOVQ  index+16(FP), R9
	MOVQ  n+24(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

next:
	ROW((R9), DX)
	VPADDW  0(DX), Y0, Y0
	VPADDW  32(DX), Y1, Y1
	VPADDW  64(DX), Y2, Y2
	VPADDW  96(DX), Y3, Y3
	VPADDW  128(DX), Y4, Y4
	VPADDW  160(DX), Y5, Y5
	VPADDW  192(DX), Y6, Y6
	VPADDW  224(DX), Y7, Y7
	ADDQ    $2, R9
	DECQ    CX
	JNZ     next
	VMOVDQU Y0, 0(DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VMOVDQU Y4, 128(DI)
	VMOVDQU Y5, 160(DI)
	VMOVDQU Y6, 192(DI)
	VMOVDQU Y7, 224(DI)
	VZEROUPPER
	RET

// func addAVX512(dst, rows *row, index *uint16, n int)
TEXT ·addAVX512(SB), NOSPLIT, $0-32
	MOVQ   dst+0(FP), DI
	MOVQ   rows+8(FP), R8
	MOVQ   index+16(FP), R9
	MOVQ   n+24(FP), CX
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3

next:
	ROW((R9), DX)
	VPADDW    0(DX), Z0, Z0
	VPADDW    64(DX), Z1, Z1
	VPADDW    128(DX), Z2, Z2
	VPADDW    192(DX), Z3, Z3
	ADDQ      $2, R9
	DECQ      CX
	JNZ       next
	VMOVDQU16 Z0, 0(DI)
	VMOVDQU16 Z1, 64(DI)
	VMOVDQU16 Z2, 128(DI)
	VMOVDQU16 Z3, 192(DI)
	VZEROUPPER
	RET

// FIRST makes of the sums of 16 bits at byte off their clipped squares of 16 bits: (2 v)^2 >> 15, rounded.
//
//	SI base   DX, BX, R11 rows   zero and one: registers of 0 and of firstOne in all words
#define FIRST(off, zero, one, move, x) \
	move      off(SI), x    \
	VPADDW    off(DX), x, x \
	VPADDW    off(BX), x, x \
	VPADDW    off(R11), x, x \
	VPMAXSW   zero, x, x    \
	VPMINSW   one, x, x     \
	VPSLLW    $1, x, x      \
	VPMULHRSW x, x, x

// BYTES writes 32 of them as bytes.
#define BYTES(off) \
	FIRST(2*off, Y14, Y15, VMOVDQU, Y0)    \
	FIRST(2*off+32, Y14, Y15, VMOVDQU, Y1) \
	VPACKUSWB Y1, Y0, Y0     \
	VPERMQ    $0xd8, Y0, Y0  \
	VMOVDQU   Y0, off(SP)

// FOUR adds the share of four cells at byte off to the sixteen sums of the second layer. No sum of 16 bits on the way
// is too great: 2 * 127 * 127 is 32258.
//
//	DI weights   Y13 one in all words   Y4, Y5 sums
#define FOUR(off) \
	VPBROADCASTD off(SP), Y0             \
	VPMADDUBSW   16*(off)(DI), Y0, Y1      \
	VPMADDUBSW   16*(off)+32(DI), Y0, Y2   \
	VPMADDWD     Y13, Y1, Y1             \
	VPMADDWD     Y13, Y2, Y2             \
	VPADDD       Y1, Y4, Y4              \
	VPADDD       Y2, Y5, Y5

#define SIXTEEN(off) FOUR(off); FOUR((off+4)); FOUR((off+8)); FOUR((off+12))

// func outputsAVX2(base, rows *row, last *tail, index *[3]uint16, sums *int32, n int)
//
//	R12 bias and out   Y14 zero   Y15 firstOne in all words   Y12 secondOne in all double words
TEXT ·outputsAVX2(SB), NOSPLIT, $128-48
	MOVQ base+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ last+16(FP), DI
	MOVQ index+24(FP), R9
	MOVQ sums+32(FP), R10
	MOVQ n+40(FP), CX
	LEAQ tail_bias(DI), R12
	VPXOR Y14, Y14, Y14
	MOVL $const_firstOne, AX
	VMOVD AX, X15
	VPBROADCASTW X15, Y15
	MOVL $const_secondOne, AX
	VMOVD AX, X12
	VPBROADCASTD X12, Y12
	MOVL $1, AX
	VMOVD AX, X13
	VPBROADCASTW X13, Y13

child:
	ROW(0(R9), DX)
	ROW(2(R9), BX)
	ROW(4(R9), R11)
	BYTES(0)
	BYTES(32)
	BYTES(64)
	BYTES(96)
	VMOVDQU 0(R12), Y4
	VMOVDQU 32(R12), Y5
	SIXTEEN(0)
	SIXTEEN(16)
	SIXTEEN(32)
	SIXTEEN(48)
	SIXTEEN(64)
	SIXTEEN(80)
	SIXTEEN(96)
	SIXTEEN(112)
	VPMAXSD Y14, Y4, Y4
	VPMAXSD Y14, Y5, Y5
	VPMINSD Y12, Y4, Y4
	VPMINSD Y12, Y5, Y5
	VPMULLD 64(R12), Y4, Y4
	VPMULLD 96(R12), Y5, Y5
	VPADDD       Y5, Y4, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (R10)
	ADDQ         $6, R9
	ADDQ         $4, R10
	DECQ         CX
	JNZ          child
	VZEROUPPER
	RET

// BYTES512 writes 32 clipped squares as bytes.
#define BYTES512(off, base, x) \
	VPADDW    2*off(DX), base, x \
	VPADDW    2*off(BX), x, x  \
	VPADDW    2*off(R11), x, x \
	VPMAXSW   Z10, x, x        \
	VPMINSW   Z11, x, x        \
	VPSLLW    $1, x, x         \
	VPMULHRSW x, x, x          \
	VPMOVWB   x, off(SP)

#define FOUR512(off, x, acc) \
	VPBROADCASTD off(SP), x \
	VPDPBUSD     16*(off)(DI), x, acc

#define SIXTEEN512(off) \
	FOUR512(off, Z0, Z4)   \
	FOUR512((off+4), Z1, Z5) \
	FOUR512((off+8), Z2, Z6) \
	FOUR512((off+12), Z3, Z7)

// func outputsVNNI(base, rows *row, last *tail, index *[3]uint16, sums *int32, n int)
//
//	Z16..Z19 base   Z10 zero   Z11 firstOne in all words   Z12 secondOne in all double words   Z13 bias   Z14 out
TEXT ·outputsVNNI(SB), NOSPLIT, $128-48
	MOVQ base+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVQ last+16(FP), DI
	MOVQ index+24(FP), R9
	MOVQ sums+32(FP), R10
	MOVQ n+40(FP), CX
	VPXORQ Z10, Z10, Z10
	MOVL $const_firstOne, AX
	VPBROADCASTW AX, Z11
	MOVL $const_secondOne, AX
	VPBROADCASTD AX, Z12
	VMOVDQU32 tail_bias(DI), Z13
	VMOVDQU32 tail_out(DI), Z14
	VMOVDQU16 0(SI), Z16
	VMOVDQU16 64(SI), Z17
	VMOVDQU16 128(SI), Z18
	VMOVDQU16 192(SI), Z19

child:
	ROW(0(R9), DX)
	ROW(2(R9), BX)
	ROW(4(R9), R11)
	BYTES512(0, Z16, Z0)
	BYTES512(32, Z17, Z1)
	BYTES512(64, Z18, Z2)
	BYTES512(96, Z19, Z3)
	VMOVDQA32 Z13, Z4
	VPXORQ    Z5, Z5, Z5
	VPXORQ    Z6, Z6, Z6
	VPXORQ    Z7, Z7, Z7
	SIXTEEN512(0)
	SIXTEEN512(16)
	SIXTEEN512(32)
	SIXTEEN512(48)
	SIXTEEN512(64)
	SIXTEEN512(80)
	SIXTEEN512(96)
	SIXTEEN512(112)
	VPADDD        Z5, Z4, Z4
	VPADDD        Z7, Z6, Z6
	VPADDD        Z6, Z4, Z4
	VPMAXSD       Z10, Z4, Z4
	VPMINSD       Z12, Z4, Z4
	VPMULLD       Z14, Z4, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDD        Y1, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPADDD        X1, X0, X0
	VPSHUFD       $0x4e, X0, X1
	VPADDD        X1, X0, X0
	VPSHUFD       $0xb1, X0, X1
	VPADDD        X1, X0, X0
	VMOVD         X0, (R10)
	ADDQ          $6, R9
	ADDQ          $4, R10
	DECQ          CX
	JNZ           child
	VZEROUPPER
	RET
