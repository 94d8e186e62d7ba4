init { x = 1 }
