import { commandsIn } from '#core/cli/commands.ts';
import { ownWords } from './arguments.ts';
import { asksInBox, clearInBox, type Boxes } from './clear-box.ts';

/**
 * Returns the words of a command that the installed program was started with, as `fieldbench stop`; null where the app is to
 * open. A file of such a name is handed over by its path, as `./stop`.
 */
export function commandIn(argv: readonly string[], isPackaged: boolean): readonly string[] | null {
  const words = ownWords(argv, isPackaged);
  return commandsIn('').some(({ name }) => name.split(' ')[0] === words[0]) ? words : null;
}

/** Runs a command beside whichever app runs; resolves with its exit code. `here` is the folder of the main script. */
export async function runCommand(words: readonly string[], here: string, boxes: Boxes): Promise<number> {
  if (words[0] === 'serve') {
    process.stderr.write(
      'fieldbench: The installed app has the service in its window. A service without one is a package of its own.\n',
    );
    return 2;
  }
  if (asksInBox(words, boxes.app)) return clearInBox(words.slice(1), boxes);
  const { runCommandLine } = await import('#core/cli/command-line.ts');
  return runCommandLine(words, here);
}
