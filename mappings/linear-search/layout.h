/* Table `rules`: one record a rule, in decreasing priority, each of single longwords:
     low[0], high[0], low[1], high[1], ...   the ends of the rule's ranges, both of them inside
     action, rule index, next                next: address of the next record, LIST_END behind the
   last With the parameter list_cells, `next` is unused and the list consists of cells {record,
   next} in front of the records. Offsets are in bytes. The list begins at the table's base. */
#pragma once

#define RECORD_LOW(dimension) (8u * (dimension))
#define RECORD_HIGH(dimension) (8u * (dimension) + 4u)
#define RECORD_ACTION(dimensions) (8u * (dimensions))
#define RECORD_RULE(dimensions) (8u * (dimensions) + 4u)
#define RECORD_NEXT(dimensions) (8u * (dimensions) + 8u)
#define RECORD_BYTES(dimensions) (8u * (dimensions) + 12u)

#define CELL_RECORD 0u
#define CELL_NEXT 4u
#define CELL_BYTES 8u

#define LIST_END 0u
