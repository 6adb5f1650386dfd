/* Who looks into tables that change: how the core processor knows when nobody does any more who
   began before (sleepable read-copy-update: McKenney, "Is Parallel Programming Hard, And, If So,
   What Can You Do About It?"). A lookup takes the epoch, counts itself in with it, and out at its
   end. Plain C, for the engines' tasks and for the core processor's program. In a table of scratch
   memory, in bytes: */
#pragma once

#define READERS_BYTES 24u
/* the epoch that lookups begin in: 0 or 1 */
#define READERS_EPOCH 0u
/* lookups that began in an epoch, and that ended: running counts */
#define READERS_BEGUN(epoch) (4u + 4u * (epoch))
#define READERS_ENDED(epoch) (12u + 4u * (epoch))
