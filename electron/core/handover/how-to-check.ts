/*
 * HOW-TO-CHECK.txt: how somebody without Fieldbench checks a package. A test executes the lines that are indented, in their order and
 * in one shell, in the folder into which the package was unpacked (test/contract/handover/hand-over-cli.test.ts).
 */

const REPORT_LINE =
  '  report.html           all of it as a page: opens in a browser, asks nobody for anything, prints\n';

/** Finds path and SHA-256 in the lines of manifest.json. */
const LISTED = String.raw`sed -n 's/^{"path":"\([^"]*\)","sha256":"\([0-9a-f]*\)".*/\2  \1/p' manifest.json`;

/** Compares whole names, so that none with spaces, quotes or line ends in it passes for one of the manifest; links are named, too. */
const NOT_NAMED = String.raw`find . ! -type d -exec awk 'BEGIN { named["./manifest.json"]; named["./manifest.sig"]; while ((getline line < "manifest.json") > 0) if (index(line, "{\"path\":\"") == 1) { split(line, part, "\""); named["./" part[4]] } for (i = 1; i < ARGC; i++) if (!(ARGV[i] in named)) print "not named: " ARGV[i] }' {} +`;

const FORMER_LINES = `  former-audit-trails/  the same of installations that had these devices before, and came here by a backup: a file of
                        each, named by the SHA-256 of the last line of its whole trail
`;

/** `hasReport`: whether the page is in it; `hasFormer`: whether lines of former audit trails are. */
export const howToCheckText = ({
  hasReport,
  hasFormer,
}: {
  readonly hasReport: boolean;
  readonly hasFormer: boolean;
}): string => `HOW TO CHECK THIS PACKAGE

It was written by Fieldbench, and can be checked without it: with openssl (3.0 or newer) and sha256sum, which most
Linux systems have, Windows has in WSL and Git Bash, and macOS has by Homebrew (openssl, coreutils). Unpack it into an
empty folder, and give these commands there.

1. Whose key signed it. This prints the fingerprint of the key in this package:

  openssl pkey -pubin -in public-key.pem -outform DER | sha256sum | cut -c 1-64

   Compare it with the fingerprint that the sender told you by another way: by phone, on paper, on a web page of
   theirs. The key lies in the package: whoever changes everything in it changes the key, too. It is only as good as
   the way its fingerprint came to you.

2. Whether manifest.json is as it was signed. This says "Signature Verified Successfully":

  openssl pkeyutl -verify -pubin -inkey public-key.pem -rawin -in manifest.json -sigfile manifest.sig

3. Whether every file is as manifest.json says. Each line has to end with "OK":

  ${LISTED} | sha256sum --check --strict

4. Whether anything is here that manifest.json does not name. This prints nothing:

  ${NOT_NAMED}

With Fieldbench, "fieldbench verify FILE.zip" does all of it, and names which records of a file are not as they were
signed.

What it says: that these files are, byte for byte, those that the holder of the key signed. What it does not say: that
what was measured is right, when it was signed, or who holds the key.

WHAT IS IN IT

  records-raw.*         what a device stored, as it was stored
  records-corrected.*   the same, read through the corrections that hold; only where there are any
  corrections.json      the corrections that hold, and every version there ever was: who, when, before and after
  notes.json            what people wrote to instants and spans
  device.json           facts about the device, its keys, their units and normal ranges
  statistics.json       what the records come to, of both views
  excursions.json       how long each key with a normal range was inside, outside, and not measured, of both views
${hasReport ? REPORT_LINE : ''}  audit-trail.ndjson    who changed what of these devices; a line is an entry
${hasFormer ? FORMER_LINES : ''}  manifest.json         path, SHA-256 and length of each file, and hashes of stretches of it
  manifest.sig          the signature of manifest.json (Ed25519, 64 bytes)
  public-key.pem        the public half of the key that made it

Times are ISO 8601 in UTC. Texts are UTF-8.
`;
