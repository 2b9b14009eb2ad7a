// Chains whose fee has a part for another layer: the cost of a route does not follow from its gas alone.

const LAYERS: readonly (readonly [id: number, name: string])[] = [
  [10, 'OP Mainnet'],
  [130, 'Unichain'],
  [252, 'Fraxtal'],
  [288, 'Boba'],
  [300, 'zkSync Sepolia'],
  [324, 'zkSync Era'],
  [480, 'World Chain'],
  [1088, 'Metis'],
  [1101, 'Polygon zkEVM'],
  [1135, 'Lisk'],
  [1868, 'Soneium'],
  [2741, 'Abstract'],
  [5000, 'Mantle'],
  [8453, 'Base'],
  [34443, 'Mode'],
  [42161, 'Arbitrum One'],
  [42170, 'Arbitrum Nova'],
  [42220, 'Celo'],
  [57073, 'Ink'],
  [59144, 'Linea'],
  [60808, 'BOB'],
  [81457, 'Blast'],
  [84532, 'Base Sepolia'],
  [167000, 'Taiko'],
  [534352, 'Scroll'],
  [7777777, 'Zora'],
]

/** The name of such a chain, by its id or by a name without spaces; `undefined` for any other. */
export function layerOf(chain: string | number): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return LAYERS.find(([id, name]) => chain === id || plain(name) === plain(`${chain}`))?.[1]
}
