# zsh -f complete.zsh LINE: prints the line after an interactive zsh has completed it, as for the tabulator key.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1= RPS1=; stty cols 500; autoload -U compinit; compinit -u -D; source <(touchstone completion zsh)'
zpty -w shell 'show() { print -r -- "line<$BUFFER>"; BUFFER=; zle .accept-line }; zle -N show; bindkey "^G" show'
zpty -w shell 'print rea""dy'
zpty -r shell output '*ready*'
zpty -n -w shell "$1"$'\t\a'
zpty -r shell output '*line<*>*'
output=${output##*line<}
print -r -- "${output%%>*}"
zpty -d shell
