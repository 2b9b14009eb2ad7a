/** The parts that the SVG pictures of this package share. */

/** A text for XML: names of tokens come from strangers. */
export function escapeXml(text: string): string {
  // Control characters are no XML, escaped or not.
  const isXml = (letter: string) => letter >= ' ' || letter === '\n'
  return [...text]
    .filter(isXml)
    .map((letter) => entities.get(letter) ?? letter)
    .join('')
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

/** A line of text at a point. */
export function svgText(
  text: string,
  at: {
    readonly x: number
    readonly y: number
    readonly anchor?: 'middle' | 'end'
    readonly isStrong?: boolean
  },
): string {
  const anchor = at.anchor ? ` text-anchor="${at.anchor}"` : ''
  const weight = at.isStrong ? ' font-weight="600"' : ''
  return `<text x="${at.x}" y="${at.y}"${anchor}${weight}>${escapeXml(text)}</text>`
}

/** A whole document: no script, no style sheet and nothing from another place. */
export function svgDocument(
  {
    width,
    height,
    title,
  }: { readonly width: number; readonly height: number; readonly title: string },
  parts: readonly string[],
): string {
  const attributes = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes} font-family="system-ui, sans-serif" font-size="12" fill="#1c2330">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
  ].join('\n')
}
