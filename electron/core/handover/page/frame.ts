import { createHash } from 'node:crypto';
import { FACTS_ID, type PageFacts } from '#shared/handover/page-facts.ts';

/** Script and style of a page, and what their libraries say of their licences. */
export interface Viewer {
  readonly script: string;
  readonly style: string;
  readonly licences: string;
}

interface Frame {
  readonly head: string;
  readonly data: (id: string, base64: string) => string;
  readonly facts: (facts: PageFacts) => string;
  readonly end: string;
}

/** The parts of a page around what it shows. What somebody wrote is in none of them but as text. */
export function frameOf(title: string, { script, style, licences }: Viewer): Frame {
  const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main id="page"><p role="status">Reading the records of this page…</p></main>
<noscript><p>The records are in this file, and a script in it shows them: allow scripts for it, or open it in a browser of 2023 or later.</p></noscript>
`;
  return {
    head,
    data: (id, base64) => `<script type="text/plain" id="${id}">${base64}</script>\n`,
    facts: (facts) => `<script type="application/json" id="${FACTS_ID}">${jsonOf(facts)}</script>\n`,
    end: `<script>${script}</script>\n<!--\n${licences.replaceAll('--', '- -')}\n-->\n</body>\n</html>\n`,
  };
}

/** Content Security Policy (level 3): its own script and style by their hashes, pictures that it draws itself, and nothing else. */
function policyOf(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** JSON that no parser of HTML takes for markup: neither the end of a script, nor a comment. */
const jsonOf = (facts: PageFacts) => JSON.stringify(facts).replaceAll('<', String.raw`\u003c`);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
