// Compiled into programs that link the installed nplab::experiments: where the package's data lie.
extern "C" {
extern const char* const nplab_package_data;
const char* const nplab_package_data = NPLAB_PACKAGE_DATA;
}
