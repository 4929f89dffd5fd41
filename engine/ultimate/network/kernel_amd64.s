// SPDX-License-Identifier: Apache-2.0

#include "go_asm.h"
#include "textflag.h"

// The 256 cells of a row of 16 bits are 512 bytes: 16 registers Y, or 8 registers Z.

// ACTIVATE makes of x, 16 sums of the hidden layer, their clipped squares, in units of an eighth: (64 v)^2 >> 15,
// rounded, is v*v/8. The registers of 0 and of One are as below.
#define ACTIVATE(x, zero, one) \
	VPMAXSW   zero, x, x \
	VPMINSW   one, x, x  \
	VPSLLW    $6, x, x   \
	VPMULHRSW x, x, x

// BLOCK adds the share of 16 cells at byte off to the sums in acc.
//
//	SI base   DI out   DX row   Y14 zero   Y15 One in all words
#define BLOCK(off, x, acc) \
	VMOVDQU  off(SI), x        \
	VPADDW   off(DX), x, x     \
	ACTIVATE(x, Y14, Y15)      \
	VPMADDWD off(DI), x, x     \
	VPADDD   x, acc, acc

// func outputsAVX2(base, out *[256]int16, rows *[numRows][256]int16, index *uint16, sums *int32, n int)
TEXT ·outputsAVX2(SB), NOSPLIT, $0-48
	MOVQ base+0(FP), SI
	MOVQ out+8(FP), DI
	MOVQ rows+16(FP), R8
	MOVQ index+24(FP), R9
	MOVQ sums+32(FP), R10
	MOVQ n+40(FP), CX
	VPXOR Y14, Y14, Y14
	MOVL $const_One, AX
	VMOVD AX, X15
	VPBROADCASTW X15, Y15

child:
	MOVWLZX (R9), DX
	SHLQ    $9, DX
	ADDQ    R8, DX
	VPXOR   Y0, Y0, Y0
	VPXOR   Y1, Y1, Y1
	BLOCK(0, Y2, Y0)
	BLOCK(32, Y3, Y1)
	BLOCK(64, Y4, Y0)
	BLOCK(96, Y5, Y1)
	BLOCK(128, Y6, Y0)
	BLOCK(160, Y7, Y1)
	BLOCK(192, Y8, Y0)
	BLOCK(224, Y9, Y1)
	BLOCK(256, Y2, Y0)
	BLOCK(288, Y3, Y1)
	BLOCK(320, Y4, Y0)
	BLOCK(352, Y5, Y1)
	BLOCK(384, Y6, Y0)
	BLOCK(416, Y7, Y1)
	BLOCK(448, Y8, Y0)
	BLOCK(480, Y9, Y1)
	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (R10)
	ADDQ         $2, R9
	ADDQ         $4, R10
	DECQ         CX
	JNZ          child
	VZEROUPPER
	RET

// BLOCK512 adds the share of 32 cells at byte off to the sums in acc.
//
//	base and out in registers   DX row   Z10 zero   Z11 One in all words
#define BLOCK512(off, base, out, x, acc) \
	VPADDW   off(DX), base, x \
	ACTIVATE(x, Z10, Z11)     \
	VPDPWSSD out, x, acc

// func outputsVNNI(base, out *[256]int16, rows *[numRows][256]int16, index *uint16, sums *int32, n int)
//
//	Z16..Z23 base   Z24..Z31 out
TEXT ·outputsVNNI(SB), NOSPLIT, $0-48
	MOVQ base+0(FP), SI
	MOVQ out+8(FP), DI
	MOVQ rows+16(FP), R8
	MOVQ index+24(FP), R9
	MOVQ sums+32(FP), R10
	MOVQ n+40(FP), CX
	VPXORQ Z10, Z10, Z10
	MOVL $const_One, AX
	VPBROADCASTW AX, Z11
	VMOVDQU16 0(SI), Z16
	VMOVDQU16 64(SI), Z17
	VMOVDQU16 128(SI), Z18
	VMOVDQU16 192(SI), Z19
	VMOVDQU16 256(SI), Z20
	VMOVDQU16 320(SI), Z21
	VMOVDQU16 384(SI), Z22
	VMOVDQU16 448(SI), Z23
	VMOVDQU16 0(DI), Z24
	VMOVDQU16 64(DI), Z25
	VMOVDQU16 128(DI), Z26
	VMOVDQU16 192(DI), Z27
	VMOVDQU16 256(DI), Z28
	VMOVDQU16 320(DI), Z29
	VMOVDQU16 384(DI), Z30
	VMOVDQU16 448(DI), Z31

child:
	MOVWLZX (R9), DX
	SHLQ    $9, DX
	ADDQ    R8, DX
	VPXORQ  Z0, Z0, Z0
	VPXORQ  Z1, Z1, Z1
	BLOCK512(0, Z16, Z24, Z2, Z0)
	BLOCK512(64, Z17, Z25, Z3, Z1)
	BLOCK512(128, Z18, Z26, Z4, Z0)
	BLOCK512(192, Z19, Z27, Z5, Z1)
	BLOCK512(256, Z20, Z28, Z6, Z0)
	BLOCK512(320, Z21, Z29, Z7, Z1)
	BLOCK512(384, Z22, Z30, Z8, Z0)
	BLOCK512(448, Z23, Z31, Z9, Z1)
	VPADDD        Z1, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDD        Y1, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPADDD        X1, X0, X0
	VPSHUFD       $0x4e, X0, X1
	VPADDD        X1, X0, X0
	VPSHUFD       $0xb1, X0, X1
	VPADDD        X1, X0, X0
	VMOVD         X0, (R10)
	ADDQ          $2, R9
	ADDQ          $4, R10
	DECQ          CX
	JNZ           child
	VZEROUPPER
	RET

// ROWS does op, an addition or a subtraction, to all sixteen registers with the row at DX.
#define ROWS(op) \
	op 0(DX), Y0, Y0 \
	op 32(DX), Y1, Y1 \
	op 64(DX), Y2, Y2 \
	op 96(DX), Y3, Y3 \
	op 128(DX), Y4, Y4 \
	op 160(DX), Y5, Y5 \
	op 192(DX), Y6, Y6 \
	op 224(DX), Y7, Y7 \
	op 256(DX), Y8, Y8 \
	op 288(DX), Y9, Y9 \
	op 320(DX), Y10, Y10 \
	op 352(DX), Y11, Y11 \
	op 384(DX), Y12, Y12 \
	op 416(DX), Y13, Y13 \
	op 448(DX), Y14, Y14 \
	op 480(DX), Y15, Y15

// func accumulateAVX2(dst, src *[256]int16, rows *[numRows][256]int16, add, sub []uint16)
TEXT ·accumulateAVX2(SB), NOSPLIT, $0-72
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ rows+16(FP), R8
	MOVQ add_base+24(FP), R9
	MOVQ add_len+32(FP), CX
	MOVQ sub_base+48(FP), R10
	MOVQ sub_len+56(FP), BX
	VMOVDQU 0(SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	VMOVDQU 128(SI), Y4
	VMOVDQU 160(SI), Y5
	VMOVDQU 192(SI), Y6
	VMOVDQU 224(SI), Y7
	VMOVDQU 256(SI), Y8
	VMOVDQU 288(SI), Y9
	VMOVDQU 320(SI), Y10
	VMOVDQU 352(SI), Y11
	VMOVDQU 384(SI), Y12
	VMOVDQU 416(SI), Y13
	VMOVDQU 448(SI), Y14
	VMOVDQU 480(SI), Y15
	TESTQ CX, CX
	JZ    added

add:
	MOVWLZX (R9), DX
	SHLQ    $9, DX
	ADDQ    R8, DX
	ROWS(VPADDW)
	ADDQ    $2, R9
	DECQ    CX
	JNZ     add

added:
	TESTQ BX, BX
	JZ    done

subtract:
	MOVWLZX (R10), DX
	SHLQ    $9, DX
	ADDQ    R8, DX
	ROWS(VPSUBW)
	ADDQ    $2, R10
	DECQ    BX
	JNZ     subtract

done:
	VMOVDQU Y0, 0(DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VMOVDQU Y4, 128(DI)
	VMOVDQU Y5, 160(DI)
	VMOVDQU Y6, 192(DI)
	VMOVDQU Y7, 224(DI)
	VMOVDQU Y8, 256(DI)
	VMOVDQU Y9, 288(DI)
	VMOVDQU Y10, 320(DI)
	VMOVDQU Y11, 352(DI)
	VMOVDQU Y12, 384(DI)
	VMOVDQU Y13, 416(DI)
	VMOVDQU Y14, 448(DI)
	VMOVDQU Y15, 480(DI)
	VZEROUPPER
	RET

// ROWS512 does op to all eight registers with the row at DX.
#define ROWS512(op) \
	op 0(DX), Z0, Z0 \
	op 64(DX), Z1, Z1 \
	op 128(DX), Z2, Z2 \
	op 192(DX), Z3, Z3 \
	op 256(DX), Z4, Z4 \
	op 320(DX), Z5, Z5 \
	op 384(DX), Z6, Z6 \
	op 448(DX), Z7, Z7

// func accumulateAVX512(dst, src *[256]int16, rows *[numRows][256]int16, add, sub []uint16)
TEXT ·accumulateAVX512(SB), NOSPLIT, $0-72
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ rows+16(FP), R8
	MOVQ add_base+24(FP), R9
	MOVQ add_len+32(FP), CX
	MOVQ sub_base+48(FP), R10
	MOVQ sub_len+56(FP), BX
	VMOVDQU16 0(SI), Z0
	VMOVDQU16 64(SI), Z1
	VMOVDQU16 128(SI), Z2
	VMOVDQU16 192(SI), Z3
	VMOVDQU16 256(SI), Z4
	VMOVDQU16 320(SI), Z5
	VMOVDQU16 384(SI), Z6
	VMOVDQU16 448(SI), Z7
	TESTQ CX, CX
	JZ    added

add:
	MOVWLZX (R9), DX
	SHLQ    $9, DX
	ADDQ    R8, DX
	ROWS512(VPADDW)
	ADDQ    $2, R9
	DECQ    CX
	JNZ     add

added:
	TESTQ BX, BX
	JZ    done

subtract:
	MOVWLZX (R10), DX
	SHLQ    $9, DX
	ADDQ    R8, DX
	ROWS512(VPSUBW)
	ADDQ    $2, R10
	DECQ    BX
	JNZ     subtract

done:
	VMOVDQU16 Z0, 0(DI)
	VMOVDQU16 Z1, 64(DI)
	VMOVDQU16 Z2, 128(DI)
	VMOVDQU16 Z3, 192(DI)
	VMOVDQU16 Z4, 256(DI)
	VMOVDQU16 Z5, 320(DI)
	VMOVDQU16 Z6, 384(DI)
	VMOVDQU16 Z7, 448(DI)
	VZEROUPPER
	RET
