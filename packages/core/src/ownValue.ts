/**
 * The own property of a record, or `undefined`. A plain object also inherits names such as
 * `constructor` and `toString`, so a name from outside is never looked up with `[name]`.
 *
 * @example ownValue({ swap: 2 }, 'toString') // undefined
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
