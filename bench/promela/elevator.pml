/* elevator.pml -- a lift between FLOORS floors, PERSONS persons who ride where they like; doors, buttons, and a controller
 * that goes on in its direction while somebody wants it there. */
#ifndef FLOORS
#define FLOORS 4
#endif
#ifndef PERSONS
#define PERSONS 3
#endif
bool called[FLOORS], chosen[FLOORS], open[FLOORS];
byte at, load;
bool up = true;
byte whither;

active proctype lift()
{
  byte f, above, below;
  do
  :: atomic { called[at] || chosen[at] ->
       called[at] = false;
       chosen[at] = false };
     open[at] = true;
     open[at] = false
  :: d_step { !called[at] && !chosen[at] ->
       f = 0; above = 0; below = 0;
       do
       :: f < FLOORS ->
          if
          :: (called[f] || chosen[f]) && f > at -> above++
          :: (called[f] || chosen[f]) && f < at -> below++
          :: else
          fi;
          f++
       :: else -> break
       od;
       f = 0 };
     if
     :: up && above > 0 -> at++
     :: up && above == 0 && below > 0 -> up = false
     :: !up && below > 0 -> at--
     :: !up && below == 0 && above > 0 -> up = true
     :: above == 0 && below == 0
     fi;
     assert(at < FLOORS);
     d_step { above = 0; below = 0 }
  od
}

active [PERSONS] proctype person()
{
  byte floor, target;
  do
  :: select (target : 0 .. FLOORS - 1);
     if
     :: target == floor
     :: target != floor ->
        called[floor] = true;
        do
        :: atomic { open[floor] && at == floor -> load++ }; break
        :: !open[floor] && !called[floor] -> called[floor] = true
        od;
        chosen[target] = true;
        do
        :: atomic { open[target] && at == target -> load-- }; break
        :: !open[target] && !chosen[target] -> chosen[target] = true
        od;
        floor = target
     fi
  od
}
