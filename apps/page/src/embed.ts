/**
 * True if the page is embedded in another site (`/?embed=1`): it then shows only the order. The API
 * allows frames only for the sites that its operator names.
 */
export const isEmbedded = new URLSearchParams(location.search).get('embed') === '1'
