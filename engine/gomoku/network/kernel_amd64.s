// SPDX-License-Identifier: Apache-2.0

#include "go_asm.h"
#include "textflag.h"

// A row is 2 x Width numbers of 16 bits: those for the side whose stone makes the pattern, and those for its enemy. A
// pass deals with 32 numbers of each side.
#define ROW (4*const_Width)
#define ENEMY (2*const_Width)
#define SIDE (4*const_Width)

// TOTAL adds the 8 numbers of 32 bits in Y0 and leaves their sum in X0.
#define TOTAL                 \
	VEXTRACTI128 $1, Y0, X1   \
	VPADDD  X1, X0, X0        \
	VPSHUFD $0x4e, X0, X1     \
	VPADDD  X1, X0, X0        \
	VPSHUFD $0xb1, X0, X1     \
	VPADDD  X1, X0, X0

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
	MOVL  $const_cellOne, AX
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

// CELL512 computes all 64 numbers of a cell for the side whose row is at own, with the enemy's at enemy.
#define CELL512(own, enemy, lo, hi)    \
	VMOVDQU16 (own), lo                \
	VMOVDQU16 64(own), hi              \
	VPADDW    ENEMY(enemy), lo, lo     \
	VPADDW    (ENEMY+64)(enemy), hi, hi \
	VPMAXSW   Z30, lo, lo              \
	VPMAXSW   Z30, hi, hi              \
	VPMINSW   Z31, lo, lo              \
	VPMINSW   Z31, hi, hi

// WIDEN512 adds 32 differences of 16 bits to 32 sums at byte off.
#define WIDEN512(off, z, y)              \
	VPMOVSXWD     y, Z8                \
	VPADDD        (off)(SI), Z8, Z8    \
	VMOVDQU32     Z8, (off)(DI)        \
	VEXTRACTI64X4 $1, z, y             \
	VPMOVSXWD     y, Z8                \
	VPADDD        (off+64)(SI), Z8, Z8 \
	VMOVDQU32     Z8, (off+64)(DI)

// func updateAVX512(dst, src *Sums, rows *[numRows]row, changes *Change, n int)
//
//	DI dst   SI src   R8 rows   R9 change   CX n   Z0..Z1 differences of the first side   Z2..Z3 of the second
TEXT ·updateAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ rows+16(FP), R8
	MOVQ changes+24(FP), R9
	MOVQ n+32(FP), CX
	MOVL $const_cellOne, AX
	VPBROADCASTW AX, Z31
	VPXORQ Z30, Z30, Z30
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3

change:
	ROWS(0, AX, BX)
	ROWS(4, DX, R10)
	CELL512(AX, BX, Z4, Z5)
	CELL512(BX, AX, Z6, Z7)
	VPSUBW Z4, Z0, Z0
	VPSUBW Z5, Z1, Z1
	VPSUBW Z6, Z2, Z2
	VPSUBW Z7, Z3, Z3
	CELL512(DX, R10, Z8, Z9)
	CELL512(R10, DX, Z10, Z11)
	VPADDW Z8, Z0, Z0
	VPADDW Z9, Z1, Z1
	VPADDW Z10, Z2, Z2
	VPADDW Z11, Z3, Z3
	ADDQ $8, R9
	DECQ CX
	JNZ  change
	WIDEN512(0, Z0, Y0)
	WIDEN512(128, Z1, Y1)
	WIDEN512(SIDE, Z2, Y2)
	WIDEN512(SIDE+128, Z3, Y3)
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

// CLIP clips 8 sums of the hidden layer, in y, writes them to R12 and makes of them their share of the value.
#define CLIP(y, off)                   \
	VPMAXSD Y14, y, y                  \
	VPMINSD Y15, y, y                  \
	VMOVDQU y, off(R12)                \
	VPSRAD  $const_hiddenShift, y, y   \
	VPMULLD off(R9), y, y

// func headAVX2(h *[Hidden]int32, own, enemy *[Width]int32, hidden *[Width][Hidden][2]int16, mask, out *[Hidden]int32) int32
//
//	R12 h   R8 hidden   R9 out   R10 the inputs of 16 bits   Y0..Y3 the 32 sums   Y4 a pair of inputs
TEXT ·headAVX2(SB), NOSPLIT, $256-52
	MOVQ h+0(FP), R12
	MOVQ own+8(FP), SI
	MOVQ enemy+16(FP), DI
	MOVQ hidden+24(FP), R8
	MOVQ mask+32(FP), DX
	MOVQ out+40(FP), R9
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
	TOTAL
	VMOVD   X0, AX
	MOVL    AX, ret+48(FP)
	VZEROUPPER
	RET

// NARROW512 brings 16 sums of SI or DI at byte off down to 16 bits, at byte to of the inputs.
#define NARROW512(from, off, to)          \
	VMOVDQU32 off(from), Z4             \
	VPSRAD    $const_sumShift, Z4, Z4   \
	VPMOVSDW  Z4, to(R10)

// CLIP512 is CLIP for 16 sums.
#define CLIP512(z, off)                \
	VPMAXSD   Z30, z, z                \
	VPMINSD   Z31, z, z                \
	VMOVDQU32 z, off(R12)              \
	VPSRAD    $const_hiddenShift, z, z \
	VPMULLD   off(R9), z, z

// func headAVX512(h *[Hidden]int32, own, enemy *[Width]int32, hidden *[Width][Hidden][2]int16, mask, out *[Hidden]int32) int32
//
//	R12 h   R8 hidden   R9 out   R10 the inputs of 16 bits   Z0..Z1, Z2..Z3 the 32 sums, in two parts
TEXT ·headAVX512(SB), NOSPLIT, $256-52
	MOVQ h+0(FP), R12
	MOVQ own+8(FP), SI
	MOVQ enemy+16(FP), DI
	MOVQ hidden+24(FP), R8
	MOVQ mask+32(FP), DX
	MOVQ out+40(FP), R9
	LEAQ inputs-256(SP), R10
	NARROW512(SI, 0, 0)
	NARROW512(SI, 64, 32)
	NARROW512(SI, 128, 64)
	NARROW512(SI, 192, 96)
	NARROW512(DI, 0, 128)
	NARROW512(DI, 64, 160)
	NARROW512(DI, 128, 192)
	NARROW512(DI, 192, 224)
	VMOVDQU32 (DX), Z0
	VMOVDQU32 64(DX), Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7
	VPXORQ Z8, Z8, Z8
	VPXORQ Z9, Z9, Z9
	MOVL $(const_Width/4), CX

pairs:
	VPBROADCASTD (R10), Z4
	VPBROADCASTD 4(R10), Z5
	VPBROADCASTD 8(R10), Z10
	VPBROADCASTD 12(R10), Z11
	VPDPWSSD (R8), Z4, Z0
	VPDPWSSD 64(R8), Z4, Z1
	VPDPWSSD 128(R8), Z5, Z2
	VPDPWSSD 192(R8), Z5, Z3
	VPDPWSSD 256(R8), Z10, Z6
	VPDPWSSD 320(R8), Z10, Z7
	VPDPWSSD 384(R8), Z11, Z8
	VPDPWSSD 448(R8), Z11, Z9
	ADDQ $16, R10
	ADDQ $512, R8
	DECL CX
	JNZ  pairs
	VPADDD Z2, Z0, Z0
	VPADDD Z3, Z1, Z1
	VPADDD Z6, Z8, Z6
	VPADDD Z7, Z9, Z7
	VPADDD Z6, Z0, Z0
	VPADDD Z7, Z1, Z1
	MOVL $const_hiddenOne, AX
	VPBROADCASTD AX, Z31
	VPXORQ Z30, Z30, Z30
	CLIP512(Z0, 0)
	CLIP512(Z1, 64)
	VPADDD Z1, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDD Y1, Y0, Y0
	TOTAL
	VMOVD   X0, AX
	MOVL    AX, ret+48(FP)
	VZEROUPPER
	RET

// QUERY adds what a pair of hidden numbers, in Y12, is worth to 8 numbers of the query.
#define QUERY(off, y)            \
	VPMADDWD off(R8), Y12, Y13   \
	VPADDD   Y13, y, y

// BASE begins 16 numbers of the query, and DONE brings them down to 16 bits, in order.
#define BASE(off, y, z)      \
	VMOVDQU off(R9), y       \
	VMOVDQU (off+32)(R9), z

#define DONE(off, y, z)                \
	VPSRAD    $const_queryShift, y, y  \
	VPSRAD    $const_queryShift, z, z  \
	VPACKSSDW z, y, y                  \
	VPERMQ    $0xd8, y, y              \
	VMOVDQU   y, off(DI)

// func queryAVX2(q *PolicyHead, h *[Hidden]int32, base *[Width]int32, query *[Hidden / 2][Width][2]int16)
//
//	DI q   SI h   R9 base   R8 query   R10 the hidden numbers of 16 bits   Y0..Y7 the 64 numbers   Y12 a pair of hidden ones
TEXT ·queryAVX2(SB), NOSPLIT, $64-32
	MOVQ q+0(FP), DI
	MOVQ h+8(FP), SI
	MOVQ base+16(FP), R9
	MOVQ query+24(FP), R8
	LEAQ pairs-64(SP), R10
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	VPSRAD $const_queryShift, Y0, Y0
	VPSRAD $const_queryShift, Y1, Y1
	VPSRAD $const_queryShift, Y2, Y2
	VPSRAD $const_queryShift, Y3, Y3
	VPACKSSDW Y1, Y0, Y0
	VPACKSSDW Y3, Y2, Y2
	VPERMQ $0xd8, Y0, Y0
	VPERMQ $0xd8, Y2, Y2
	VMOVDQU Y0, (R10)
	VMOVDQU Y2, 32(R10)
	BASE(0, Y0, Y1)
	BASE(64, Y2, Y3)
	BASE(128, Y4, Y5)
	BASE(192, Y6, Y7)
	MOVL $(const_Hidden/2), CX

pair:
	VPBROADCASTD (R10), Y12
	QUERY(0, Y0)
	QUERY(32, Y1)
	QUERY(64, Y2)
	QUERY(96, Y3)
	QUERY(128, Y4)
	QUERY(160, Y5)
	QUERY(192, Y6)
	QUERY(224, Y7)
	ADDQ $4, R10
	ADDQ $(4*const_Width), R8
	DECL CX
	JNZ  pair
	DONE(0, Y0, Y1)
	DONE(32, Y2, Y3)
	DONE(64, Y4, Y5)
	DONE(96, Y6, Y7)
	VZEROUPPER
	RET

// func scoreCellsAVX2(dst *int32, q *PolicyHead, rows *[numRows]row, cells *Cell, n int)
//
//	DI dst   R8 rows   R9 cell   CX n   Y4..Y7 the query   Y0..Y3 the 64 numbers of a cell
TEXT ·scoreCellsAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ q+8(FP), SI
	MOVQ rows+16(FP), R8
	MOVQ cells+24(FP), R9
	MOVQ n+32(FP), CX
	VMOVDQU (SI), Y4
	VMOVDQU 32(SI), Y5
	VMOVDQU 64(SI), Y6
	VMOVDQU 96(SI), Y7
	VPXOR Y14, Y14, Y14
	MOVL  $const_cellOne, AX
	VMOVD AX, X15
	VPBROADCASTW X15, Y15

cell:
	ROWS(0, AX, BX)
	CELL(AX, BX, Y0, Y1)
	ADDQ $64, AX
	ADDQ $64, BX
	CELL(AX, BX, Y2, Y3)
	VPMADDWD Y4, Y0, Y0
	VPMADDWD Y5, Y1, Y1
	VPMADDWD Y6, Y2, Y2
	VPMADDWD Y7, Y3, Y3
	VPADDD Y1, Y0, Y0
	VPADDD Y3, Y2, Y2
	VPADDD Y2, Y0, Y0
	TOTAL
	VMOVD   X0, (DI)
	ADDQ $4, DI
	ADDQ $4, R9
	DECQ CX
	JNZ  cell
	VZEROUPPER
	RET
