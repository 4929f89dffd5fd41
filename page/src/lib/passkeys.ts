// SPDX-License-Identifier: Apache-2.0
// Passkeys: what the server asks is given to the browser, whose answer goes back. Bytes are base64url in between.
import { t } from '../texts'

export interface Ceremony {
  state: string
  options: { publicKey: Record<string, any> }
}

/** Whether the browser has passkeys at all. */
export const able = () => 'credentials' in navigator && 'PublicKeyCredential' in window

const bytes = (text: string) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
const text = (data: ArrayBuffer | null) => (data ? btoa(String.fromCharCode(...new Uint8Array(data))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '') : undefined)
const known = (list: { id: string }[] = []) => list.map((k) => ({ ...k, id: bytes(k.id) }))

/** Words for somebody who did not go on, or whose device cannot. */
function why(e: unknown): never {
  const name = (e as Error).name
  throw new Error(name === 'NotAllowedError' || name === 'AbortError' ? t('club.passkeyStopped') : name === 'InvalidStateError' ? t('club.passkeyThere') : (e as Error).message)
}

/** Has the device make a passkey. */
export async function make({ state, options }: Ceremony) {
  const o = options.publicKey
  const publicKey = { ...o, challenge: bytes(o.challenge), user: { ...o.user, id: bytes(o.user.id) }, excludeCredentials: known(o.excludeCredentials) }
  const made = (await navigator.credentials.create({ publicKey: publicKey as unknown as PublicKeyCredentialCreationOptions }).catch(why)) as PublicKeyCredential
  const r = made.response as AuthenticatorAttestationResponse
  const answer = { clientDataJSON: text(r.clientDataJSON), attestationObject: text(r.attestationObject), transports: r.getTransports?.() }
  return { state, answer: { id: made.id, rawId: text(made.rawId), type: made.type, response: answer } }
}

/** Has the device sign with a passkey that its owner chooses. */
export async function sign({ state, options }: Ceremony) {
  const o = options.publicKey
  const publicKey = { ...o, challenge: bytes(o.challenge), allowCredentials: known(o.allowCredentials) }
  const used = (await navigator.credentials.get({ publicKey: publicKey as unknown as PublicKeyCredentialRequestOptions }).catch(why)) as PublicKeyCredential
  const r = used.response as AuthenticatorAssertionResponse
  const answer = { clientDataJSON: text(r.clientDataJSON), authenticatorData: text(r.authenticatorData), signature: text(r.signature), userHandle: text(r.userHandle) }
  return { state, answer: { id: used.id, rawId: text(used.rawId), type: used.type, response: answer } }
}

/** A browser and its system in a few words, by what it calls itself: a name for a passkey that is made there. */
export function browserName(agent = navigator.userAgent): string {
  const find = (list: [RegExp, string][]) => list.find(([r]) => r.test(agent))?.[1] ?? ''
  const browser = find([[/Edg\//, 'Edge'], [/OPR\//, 'Opera'], [/Firefox\//, 'Firefox'], [/Chrome\//, 'Chrome'], [/Safari\//, 'Safari']])
  const system = find([[/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Android/, 'Android'], [/Mac OS/, 'Mac'], [/Windows/, 'Windows'], [/Linux/, 'Linux']])
  return [browser, system].filter(Boolean).join(', ') || agent
}
