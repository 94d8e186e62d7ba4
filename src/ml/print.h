/* print.h -- small pieces of text that printing and the library share. */
#ifndef ML_PRINT_H
#define ML_PRINT_H

#include "ml/ml.h"

size_t ml_print_real(double, char out[40]);       /* as Real.toString does: 1.0, 1E~9 */
size_t ml_print_char(unsigned char, char out[8]); /* as Char.toString does: \n, \" */

#endif
