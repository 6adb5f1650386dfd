// Stands for the constants of the mapping, which the composed program defines before it includes
// anything (mappings/composition): dimensions, table bases TABLE_NAME, parameters PARAM_NAME,
// tuning TUNE_NAME, buffers, policies.
#pragma once

#ifndef DIMENSIONS
#error "tasks and library are compiled as part of a composed program; see nplab show MAPPING"
#endif
