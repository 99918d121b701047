import { pythonText } from './quoted.ts';
import { READING, type HttpSnippet } from './reading.ts';

/** A script for Python 3, of what comes with it. */
export const pythonHttpSnippet: HttpSnippet = ({ url, authority }, { device_token }) =>
  `# Python 3, without packages.
import json
${authority === null ? '' : 'import ssl\n'}import urllib.error
import urllib.request

URL = ${pythonText(url)}
DEVICE_TOKEN = ${pythonText(device_token)}
${authority === null ? '' : `TRUSTED = ssl.create_default_context(cafile=${pythonText(authority)})\n`}
request = urllib.request.Request(
    URL,
    json.dumps(${READING}).encode(),
    {"Authorization": "Bearer " + DEVICE_TOKEN, "Content-Type": "application/json"},
)
try:
    with urllib.request.urlopen(request${authority === null ? '' : ', context=TRUSTED'}) as answer:
        print(json.load(answer)["message"])
except urllib.error.HTTPError as refusal:
    raise SystemExit("Refused: " + json.load(refusal)["message"])
`;
