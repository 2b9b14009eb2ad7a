import { expect, it } from 'vitest'
import { readConfig } from './config.js'

it('the shapes of other services are passed on to the API, which checks them', () => {
  expect(readConfig({ BRAID_COMPAT: 'akka,1inch' }).compat).toBe('akka,1inch')
  expect(readConfig({ BRAID_COMPAT: '' })).not.toHaveProperty('compat')
})
