import { ApiError } from '../errors.js'

/** The result of `work`, or DEADLINE_EXCEEDED if it takes longer. Does not cancel the work. */
export async function withTimeout<T>(
  limitMs: number,
  work: () => Promise<T>,
  message: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError('DEADLINE_EXCEEDED', message)), limitMs)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
