import { expect, it } from 'vitest'
import { readConfig } from './config.js'

it('the shapes of other services are passed on to the API, which checks them', () => {
  expect(readConfig({ BRAID_COMPAT: 'akka,0x' }).compat).toBe('akka,0x')
  expect(readConfig({ BRAID_COMPAT: '' })).not.toHaveProperty('compat')
})
