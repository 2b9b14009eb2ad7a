import { Argument, type Command } from 'commander'
import { withExample } from '../commandOptions.js'
import { completionScript, type Shell, shells } from '../completion.js'
import type { Terminal } from '../terminal.js'

/** `braid completion`: a script for a shell, made of the commands that the program has. */
export function addCompletion(program: Command, terminal: Terminal): void {
  const command = program
    .command('completion')
    .description('print a script that completes command lines in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: Shell) => terminal.out(completionScript(program, shell)))
  withExample(
    command,
    'braid completion bash > ~/.local/share/bash-completion/completions/braid',
    'braid completion zsh > ~/.zsh-braid && echo "source ~/.zsh-braid" >> ~/.zshrc',
    'braid completion fish > ~/.config/fish/completions/braid.fish',
  )
}
