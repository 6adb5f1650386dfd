/* Table `rules`: one record a rule, in decreasing priority: low and high of each dimension, then the action, each a
   longword. Offsets are in bytes. */
#pragma once

#define RECORD_LOW(dimension) (8u * (dimension))
#define RECORD_HIGH(dimension) (8u * (dimension) + 4u)
#define RECORD_ACTION(dimensions) (8u * (dimensions))
#define RECORD_BYTES(dimensions) (8u * (dimensions) + 4u)
