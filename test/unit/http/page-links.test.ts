import { expect, test } from 'vitest';
import { pageHeaders } from '#core/http/page-links.ts';

/* RFC 8288, from the request's own target. */

function linksOf(target: string, page = 2): string[] {
  const headers = pageHeaders(target, { page, limit: 10, total: 35 });
  return headers[headers.indexOf('link') + 1]?.split(', ') ?? [];
}

test('a link is the target with another page, everything else as it was asked', () => {
  expect(linksOf('/v2/x?limit=10&page=2&range=all&keys=a%2Cb')).toEqual([
    '</v2/x?page=1&limit=10&range=all&keys=a%2Cb>; rel="first"',
    '</v2/x?page=1&limit=10&range=all&keys=a%2Cb>; rel="prev"',
    '</v2/x?page=3&limit=10&range=all&keys=a%2Cb>; rel="next"',
    '</v2/x?page=4&limit=10&range=all&keys=a%2Cb>; rel="last"',
  ]);
});

test.each(['/v2/x?page=2', '/v2/x?p%61ge=2', '/v2/x?%70age=2&page=2', '/v2/x?&&page=2&', '/v2/x'])(
  '%s has one page in its links',
  (target) => {
    for (const link of linksOf(target)) expect(link.match(/\bpage=\d/g)).toHaveLength(1);
  },
);

test('a name that only begins like the page stays', () => {
  expect(linksOf('/v2/x?page=2&pages=7')[0]).toBe('</v2/x?page=1&pages=7>; rel="first"');
});

test('what would end the link early is escaped', () => {
  const [first] = linksOf('/v2/x?page=2&keys=a>;rel="evil",<b\u00e9');
  expect(first).toBe('</v2/x?page=1&keys=a%3E;rel=%22evil%22,%3Cb%C3%A9>; rel="first"');
});

test('a target in absolute form keeps its path', () => {
  expect(linksOf('http://127.0.0.1:7480/v2/x?page=2')[0]).toBe('</v2/x?page=1>; rel="first"');
});

test('a question mark in the query is one of its characters', () => {
  expect(linksOf('/v2/x?keys=open?,t&page=2&limit=10')[0]).toBe(
    '</v2/x?page=1&keys=open?,t&limit=10>; rel="first"',
  );
});

test.each(['/v2/x?page=2#>;rel="next",<http://evil/', '/v2/x#>;rel="next"?page=2'])(
  'what stands behind "#" in %s is no part of a link',
  (target) => {
    expect(linksOf(target)[0]).toBe('</v2/x?page=1>; rel="first"');
  },
);
