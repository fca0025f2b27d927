#!/bin/sh
# How an instruction is lowered is its row's matter: nothing in src/isa/lower asks for a mnemonic or
# for the text of operand roles.
cd "$1/src/isa/lower" || exit 2
wrong=$(grep -nE '(opcode|mnemonic|roles)(\(\))? *(==|!=)|(opcode|mnemonic|roles)\.(starts_with|ends_with|find|back|front)' -- *.cpp *.h)
[ -z "$wrong" ] && exit 0
echo "$wrong"
exit 1
