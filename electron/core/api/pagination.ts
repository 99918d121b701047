/**
 * The headers of a page: `X-Total-Count`, and `Link` (RFC 8288) to the first, previous, next and last page where there
 * is one. Links are relative to the host, so they hold on whichever door the request came in by.
 */
export function pageHeaders(
  path: string,
  query: Readonly<Record<string, string>>,
  { page, limit, total }: { readonly page: number; readonly limit: number; readonly total: number },
): Record<string, string> {
  const lastPage = Math.max(1, Math.ceil(total / limit));
  const rest = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const link = (relation: string, to: number) =>
    `<${path}?page=${to}&limit=${limit}&${rest}>; rel="${relation}"`;
  const links = [link('first', 1)];
  if (page > 1) links.push(link('prev', Math.min(page - 1, lastPage)));
  if (page < lastPage) links.push(link('next', page + 1));
  links.push(link('last', lastPage));
  return { 'x-total-count': String(total), link: links.join(', ') };
}
