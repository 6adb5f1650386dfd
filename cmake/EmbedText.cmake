# Writes TEXT as the constant NAME of namespace NAMESPACE: cmake -DTEXT=... -DNAME=... -DNAMESPACE=... -DOUTPUT=... -P EmbedText.cmake
file(READ ${TEXT} text)
file(WRITE ${OUTPUT} "#include <string_view>\nnamespace ${NAMESPACE} {\nextern const std::string_view ${NAME};\n"
                     "const std::string_view ${NAME} = R\"nplab_text(${text})nplab_text\";\n}\n")
