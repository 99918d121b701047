#!/usr/bin/env node
import { completeLanguage } from '../base/language.ts';
import { runCommandLine } from './command-line.ts';

await completeLanguage();
// Handles of what is still closing must not keep a process that has said what there was to say.
process.exit(await runCommandLine(process.argv.slice(2), import.meta.dirname));
