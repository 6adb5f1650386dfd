// Code generation: pseudo instructions, selection patterns, calling convention. Owned by compiler/.
