/* print.h -- small pieces of text that printing and the library share. */
#ifndef ML_PRINT_H
#define ML_PRINT_H

#include "ml/ml.h"

size_t ml_print_real(double, char out[40]);       /* as Real.toString does: 1.0, 1E~9 */
/* A number as C writes it in the way of ML: ~ for minus, E before an exponent without plus and leading zeros; point: whole numbers get .0, for which there must be room. */
size_t ml_number_as_ml(const char *text, int point, char *out);
size_t ml_print_char(unsigned char, char out[8]); /* as Char.toString does: \n, \" */

#endif
