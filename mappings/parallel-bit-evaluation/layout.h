/* The tables are those of the aggregated bit vector. */
#pragma once

#include "../aggregated-bit-vector/layout.h"
