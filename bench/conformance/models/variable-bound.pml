/* A variable as the bound of an array is its first value, or 8. */
byte n = 3, m;
byte a[n], b[m];
init { byte i; do :: i < 3 -> a[i] = i; i++ :: else -> break od; b[7] = 7 }
