// The files of the containers agree with each other and with what is there.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { configDefaults } from '../config/config.js'
import { compose, filled, folder, text } from '../testing/composeFiles.js'

it('compose.yaml mounts only what is there, and names only volumes that it declares', () => {
  const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)
  expect(mounts.length).toBeGreaterThan(5)
  for (const mount of mounts) {
    const [source = ''] = filled(mount, { BRAID_VENUES: './nginx.conf' }).split(':')
    if (source.startsWith('.')) expect(existsSync(join(folder, source)), source).toBe(true)
    else expect(Object.keys(compose.volumes)).toContain(source)
  }
})

it('kubernetes.yaml starts the roles and probes of compose.yaml', () => {
  type Container = {
    env: { name: string; value: string }[]
    livenessProbe: { httpGet: { path: string } }
    readinessProbe: { httpGet: { path: string } }
    lifecycle?: { preStop: { exec: { command: string[] } } }
  }
  type Deployment = {
    kind: string
    metadata: { name: string }
    spec: {
      replicas: number
      template: {
        spec: {
          containers: Container[]
          enableServiceLinks: boolean
          terminationGracePeriodSeconds: number
        }
      }
    }
  }
  const documents = text('kubernetes.yaml')
    .split(/^---$/m)
    .map((part) => parse(part) as Deployment)
  const deployments = documents.filter(({ kind }) => kind === 'Deployment')
  for (const { metadata, spec } of deployments) {
    const [container] = spec.template.spec.containers
    const environment = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]))
    // Otherwise the service braid adds variables that look like settings.
    expect(spec.template.spec.enableServiceLinks).toBe(false)
    const service = compose.services[metadata.name]!
    expect(service.environment).toMatchObject(environment)
    expect(service.deploy?.replicas).toBe(spec.replicas)
    expect(container!.livenessProbe.httpGet.path).toBe('/healthz')
    expect(container!.readinessProbe.httpGet.path).toBe('/readyz')
  }
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['indexer', 'reader'])
  // A reader listens until no more requests are sent to it, and then has all the time that an end may take.
  const { containers, terminationGracePeriodSeconds } = deployments[1]!.spec.template.spec
  const [command, seconds] = containers[0]!.lifecycle!.preStop.exec.command
  expect(command).toBe('sleep')
  const endS = (2 * configDefaults.drainMs) / 1_000
  expect(Number(seconds) + endS).toBeLessThan(terminationGracePeriodSeconds)
  // The secret that its comment makes has what every process needs.
  for (const name of ['BRAID_REDIS_URL', 'BRAID_RPC_URLS', 'BRAID_ROUTER']) {
    expect(text('kubernetes.yaml')).toContain(`--from-literal=${name}=`)
  }
})
