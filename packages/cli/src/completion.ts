import { type Call, optionsOf } from "./args.ts";
import { UserError } from "./errors.ts";
import { printText } from "./output.ts";

/*
 * Scripts that complete commands and options in a shell. Names of commands and options have only letters and hyphens.
 */

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Prints a script for a shell. */
export async function completion(call: Call): Promise<number> {
  const [shell = ""] = call.operands;
  const known = SHELLS.find((one) => one === shell);
  if (known === undefined)
    throw new UserError(`Unknown shell ${JSON.stringify(shell)}. Expected one of ${SHELLS.join(", ")}.`);
  printText(scripts[known](optionsOf()));
  return 0;
}

type Options = Record<string, string[]>;

const scripts: Record<(typeof SHELLS)[number], (options: Options) => string> = {
  bash: (options) => `_edge() {
  local word="\${COMP_WORDS[COMP_CWORD]}" options=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${Object.keys(options).join(" ")}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${Object.entries(options)
  .map(([name, own]) => `    ${name}) options="${own.map((one) => `--${one}`).join(" ")}" ;;`)
  .join("\n")}
  esac
  if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word")); fi
}
complete -o default -F _edge edge
`,
  zsh: (options) => `#compdef edge
_edge() {
  if (( CURRENT == 2 )); then
    compadd ${Object.keys(options).join(" ")}
    return
  fi
  if [[ "$words[CURRENT]" == -* ]]; then
    case "$words[2]" in
${Object.entries(options)
  .map(([name, own]) => `      ${name}) compadd -- ${own.map((one) => `--${one}`).join(" ")} ;;`)
  .join("\n")}
    esac
  else
    _files
  fi
}
compdef _edge edge
`,
  fish: (options) =>
    [
      `complete -c edge -n __fish_use_subcommand -f -a "${Object.keys(options).join(" ")}"`,
      ...Object.entries(options).flatMap(([name, own]) =>
        own.map((one) => `complete -c edge -n "__fish_seen_subcommand_from ${name}" -l ${one}`),
      ),
      "",
    ].join("\n"),
};
