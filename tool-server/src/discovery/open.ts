import { pinnedIssuer } from '../registration.js'
import { DEFAULT_AS_URL, type Settings } from '../settings.js'
import { DiscoveryClient } from './client.js'

/** Opens the directory in use: `COUNTERSIGN_DISCOVERY_URL`, otherwise that of the authorization server. */
export async function openDiscovery(settings: Settings): Promise<DiscoveryClient> {
  return new DiscoveryClient(settings.discoveryUrl ?? `${await serverUrl(settings)}/discovery`)
}

/** Returns the authorization server in use, registered or not, without trailing slash. */
export async function serverUrl(settings: Settings): Promise<string> {
  return (await pinnedIssuer(settings)) ?? DEFAULT_AS_URL
}
