import { jsText } from './quoted.ts';
import { READING, type HttpSnippet } from './reading.ts';

/** A module for Node 18 or newer, of what comes with it. */
export const nodeHttpSnippet: HttpSnippet = ({ url, authority }, { device_token }) =>
  `// Node 18 or newer, without packages: save it as reading.mjs, then "node reading.mjs".
${authority === null ? "import { request } from 'node:http';" : "import { readFileSync } from 'node:fs';\nimport { request } from 'node:https';"}
import { text } from 'node:stream/consumers';

const URL = ${jsText(url)};
const DEVICE_TOKEN = ${jsText(device_token)};

const post = request(URL, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${DEVICE_TOKEN}\`, 'Content-Type': 'application/json' },${authority === null ? '' : `\n  ca: readFileSync(${jsText(authority)}),`}
});
post.on('response', async (answer) => {
  const { message } = JSON.parse(await text(answer));
  if (answer.statusCode !== 200) throw new Error(\`Refused: \${message}\`);
  console.log(message);
});
post.end(JSON.stringify(${READING}));
`;
