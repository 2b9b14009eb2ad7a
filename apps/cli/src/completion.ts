// Scripts that complete command lines in a shell. Input: the program with its commands and options. Output:
// a script for bash, zsh or fish. All words are in the script, so that the key runs no program and evaluates
// nothing of the line that is typed (docs/decisions/0002-libraries.md).

import type { Command, Option } from 'commander'

/** The shells whose scripts there are. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A command with the words that lead to it: none for the program itself. */
type Node = {
  readonly path: readonly string[]
  readonly about: string
  readonly options: readonly Option[]
  readonly commands: readonly string[]
  /** What its arguments may be, where that is a list. */
  readonly choices: readonly string[]
}

/** The script that completes lines of the program in a shell, for `source` or a folder of completions. */
export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program, [])
  if (shell === 'fish') return fishScript(nodes)
  const script = bashScript(nodes)
  if (shell === 'bash') return script
  return `autoload -U +X compinit bashcompinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n${script}`
}

function nodesOf(command: Command, path: readonly string[]): readonly Node[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const own: Node = {
    ...{ path, about: command.description(), options: help.visibleOptions(command) },
    commands: commands.map((one) => one.name()),
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  }
  return [own, ...commands.flatMap((one) => nodesOf(one, [...path, one.name()]))]
}

/** Whether the word after the option is its value. */
const takesValue = (option: Option): boolean => option.required || option.optional

/** A text in single quotes, in which no shell replaces anything. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** After an option with a value, its choices, or else files, which are the default. */
function bashScript(nodes: readonly Node[]): string {
  const keyOf = ({ path }: Node) => quoted(path.join(' '))
  const paths = nodes.filter(({ path }) => path.length > 0).map(keyOf)
  const values = nodes.flatMap((node) =>
    node.options.filter(takesValue).map((option) => {
      const key = quoted(`${node.path.join(' ')} ${option.long}`)
      return `    ${key}) words=${quoted((option.argChoices ?? []).join(' '))} ;;`
    }),
  )
  const words = nodes.map((node) => {
    const all = [...node.commands, ...node.choices, ...node.options.map(({ long }) => long!)]
    return `        ${keyOf(node)}) words=${quoted(all.join(' '))} ;;`
  })
  return `_braid() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path='' next words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case "$next" in
      ${paths.join(' | ')}) path="$next" ;;
    esac
  done
  case "$path $prev" in
${values.join('\n')}
    *)
      case "$path" in
${words.join('\n')}
      esac ;;
  esac
  COMPREPLY=()
  while IFS='' read -r next; do COMPREPLY+=("$next"); done < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _braid braid
`
}

function fishScript(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, options, commands, choices }) => {
    const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`)
    const none =
      commands.length > 0 ? [`not __fish_seen_subcommand_from ${commands.join(' ')}`] : []
    const when = quoted([...seen, ...none].join('; and '))
    const about = (name: string) =>
      nodes.find((node) => node.path.join(' ') === [...path, name].join(' '))?.about ?? ''
    return [
      ...commands.map(
        (name) => `complete -c braid -f -n ${when} -a ${name} -d ${quoted(about(name))}`,
      ),
      ...choices.map((choice) => `complete -c braid -f -n ${when} -a ${choice}`),
      ...options.map((option) => {
        const { argChoices = [], description } = option
        const value = !takesValue(option)
          ? '-f'
          : argChoices.length > 0
            ? `-x -a ${quoted(argChoices.join(' '))}`
            : '-r -F'
        return `complete -c braid ${value} -n ${when} -l ${option.long!.slice(2)} -d ${quoted(description)}`
      }),
    ]
  })
  return `${lines.join('\n')}\n`
}
