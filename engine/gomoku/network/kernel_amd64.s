// SPDX-License-Identifier: Apache-2.0

#include "go_asm.h"
#include "textflag.h"

// A row is 2 x Width numbers of 16 bits: those for the side whose stone makes the pattern, and those for its enemy. A
// pass deals with 32 numbers of each side.
#define ROW (4*const_Width)
#define ENEMY (2*const_Width)
#define SIDE (4*const_Width)

// CELL computes 32 numbers of a cell for the side whose row is at own, with the enemy's at enemy.
#define CELL(own, enemy, lo, hi)     \
	VMOVDQU (own), lo                \
	VMOVDQU 32(own), hi              \
	VPADDW  ENEMY(enemy), lo, lo     \
	VPADDW  (ENEMY+32)(enemy), hi, hi \
	VPMAXSW Y14, lo, lo              \
	VPMAXSW Y14, hi, hi              \
	VPMINSW Y15, lo, lo              \
	VPMINSW Y15, hi, hi

// ROWS reads the two patterns at byte off of a change and leaves the addresses of their rows.
#define ROWS(off, first, second)   \
	MOVWLZX off(R9), first         \
	MOVWLZX (off+2)(R9), second    \
	IMULQ   $ROW, first            \
	IMULQ   $ROW, second           \
	ADDQ    R8, first              \
	ADDQ    R8, second

// WIDEN adds 16 differences of 16 bits to 16 sums at byte off.
#define WIDEN(off, y, x)              \
	VPMOVSXWD    x, Y8                \
	VPADDD       (off)(SI), Y8, Y8    \
	VMOVDQU      Y8, (off)(DI)        \
	VEXTRACTI128 $1, y, x             \
	VPMOVSXWD    x, Y8                \
	VPADDD       (off+32)(SI), Y8, Y8 \
	VMOVDQU      Y8, (off+32)(DI)

// func updateAVX2(dst, src *Sums, rows *[numRows]row, changes *Change, n int)
//
//	DI dst   SI src   R8 rows   R9 change   CX n   R12 passes   Y0..Y1 differences of the first side   Y2..Y3 of the second
TEXT ·updateAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ rows+16(FP), R8
	MOVL $(const_Width/32), R12
	VPXOR Y14, Y14, Y14
	MOVL  $const_One, AX
	VMOVD AX, X15
	VPBROADCASTW X15, Y15

pass:
	MOVQ changes+24(FP), R9
	MOVQ n+32(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3

change:
	ROWS(0, AX, BX)
	ROWS(4, DX, R10)
	CELL(AX, BX, Y4, Y5)
	CELL(BX, AX, Y6, Y7)
	VPSUBW Y4, Y0, Y0
	VPSUBW Y5, Y1, Y1
	VPSUBW Y6, Y2, Y2
	VPSUBW Y7, Y3, Y3
	CELL(DX, R10, Y8, Y9)
	CELL(R10, DX, Y10, Y11)
	VPADDW Y8, Y0, Y0
	VPADDW Y9, Y1, Y1
	VPADDW Y10, Y2, Y2
	VPADDW Y11, Y3, Y3
	ADDQ $8, R9
	DECQ CX
	JNZ  change
	WIDEN(0, Y0, X0)
	WIDEN(64, Y1, X1)
	WIDEN(SIDE, Y2, X2)
	WIDEN(SIDE+64, Y3, X3)
	ADDQ $64, R8
	ADDQ $128, SI
	ADDQ $128, DI
	DECL R12
	JNZ  pass
	VZEROUPPER
	RET

// NARROW brings 32 sums at a pointer down to 16 bits, in order, at R11, and moves both on.
#define NARROW(from)                  \
	VMOVDQU   (from), Y4              \
	VMOVDQU   32(from), Y5            \
	VMOVDQU   64(from), Y6            \
	VMOVDQU   96(from), Y7            \
	VPSRAD    $const_sumShift, Y4, Y4 \
	VPSRAD    $const_sumShift, Y5, Y5 \
	VPSRAD    $const_sumShift, Y6, Y6 \
	VPSRAD    $const_sumShift, Y7, Y7 \
	VPACKSSDW Y5, Y4, Y4              \
	VPACKSSDW Y7, Y6, Y6              \
	VPERMQ    $0xd8, Y4, Y4           \
	VPERMQ    $0xd8, Y6, Y6           \
	VMOVDQU   Y4, (R11)               \
	VMOVDQU   Y6, 32(R11)             \
	ADDQ      $128, from              \
	ADDQ      $64, R11

// CLIP makes of 8 sums of the hidden layer, in y, their share of the value.
#define CLIP(y, off)                   \
	VPMAXSD Y14, y, y                  \
	VPMINSD Y15, y, y                  \
	VPSRAD  $const_hiddenShift, y, y   \
	VPMULLD off(R9), y, y

// func headAVX2(own, enemy *[Width]int32, hidden *[Width][Hidden][2]int16, mask, out *[Hidden]int32) int32
//
//	R8 hidden   R9 out   R10 the inputs of 16 bits   Y0..Y3 the 32 sums   Y4 a pair of inputs
TEXT ·headAVX2(SB), NOSPLIT, $256-44
	MOVQ own+0(FP), SI
	MOVQ enemy+8(FP), DI
	MOVQ hidden+16(FP), R8
	MOVQ mask+24(FP), DX
	MOVQ out+32(FP), R9
	LEAQ inputs-256(SP), R10
	MOVQ R10, R11
	MOVL $(const_Width/32), CX

own:
	NARROW(SI)
	DECL CX
	JNZ  own
	MOVL $(const_Width/32), CX

enemy:
	NARROW(DI)
	DECL CX
	JNZ  enemy
	VMOVDQU (DX), Y0
	VMOVDQU 32(DX), Y1
	VMOVDQU 64(DX), Y2
	VMOVDQU 96(DX), Y3
	MOVL $const_Width, CX

pair:
	VPBROADCASTD (R10), Y4
	VPMADDWD (R8), Y4, Y5
	VPMADDWD 32(R8), Y4, Y6
	VPMADDWD 64(R8), Y4, Y7
	VPMADDWD 96(R8), Y4, Y8
	VPADDD Y5, Y0, Y0
	VPADDD Y6, Y1, Y1
	VPADDD Y7, Y2, Y2
	VPADDD Y8, Y3, Y3
	ADDQ $4, R10
	ADDQ $128, R8
	DECL CX
	JNZ  pair
	VPXOR Y14, Y14, Y14
	MOVL  $const_hiddenOne, AX
	VMOVD AX, X15
	VPBROADCASTD X15, Y15
	CLIP(Y0, 0)
	CLIP(Y1, 32)
	CLIP(Y2, 64)
	CLIP(Y3, 96)
	VPADDD Y1, Y0, Y0
	VPADDD Y3, Y2, Y2
	VPADDD Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD  X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPADDD  X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPADDD  X1, X0, X0
	VMOVD   X0, AX
	MOVL    AX, ret+40(FP)
	VZEROUPPER
	RET
