/** What an activity's parameters name: found in the store and brought along for the signer, which decides anew. */
import type { ActivityType } from '../../signer-core/protocol/activity-type.ts'
import { activityTypes, isActivityTypeName } from '../../signer-core/protocol/activity-types.ts'
import type { PerformCall } from '../../signer-core/protocol/messages.ts'
import { UUID } from '../../signer-core/protocol/organization-record.ts'
import type { Refusal } from '../../signer-core/protocol/refusals.ts'
import type { ActivityDocument, PrivateKeyDocument, WalletAccountDocument, WalletDocument } from '../documents.ts'
import type { ImportTargets } from '../imports/import-targets.ts'
import type { KeyNames } from '../key-names/key-names.ts'
import type { PrivateKeys } from '../private-keys/private-keys.ts'
import type { WalletAccounts } from '../wallets/wallet-accounts.ts'
import type { WalletPaths } from '../wallets/wallet-paths.ts'
import type { Wallets } from '../wallets/wallets.ts'
import { refuseUnexported } from './unexported.ts'

export interface NamedParts {
  keyNames: KeyNames
  privateKeys: PrivateKeys
  wallets: Wallets
  walletAccounts: WalletAccounts
  walletPaths: WalletPaths
  importTargets: ImportTargets
}

type Brought = Pick<PerformCall, 'keys' | 'wallets' | 'exportedIds' | 'importTarget'>
type KeyDocument = PrivateKeyDocument | WalletAccountDocument

export class Named {
  private readonly parts: NamedParts

  constructor(parts: NamedParts) {
    this.parts = parts
  }

  /** Unknown names, and those of another organization, are left out: the signer says what is missing. */
  async bring(activity: Pick<ActivityDocument, 'organizationId' | 'type' | 'body'>): Promise<Brought> {
    const { organizationId, type, body } = activity
    const { described, parameters } = describe(type, body)
    const { keysNamed, keyKind, walletsNamed, asksExported, importFlow } = described
    const keys = await present(keysNamed(parameters).map((name) => this.key(organizationId, name, keyKind)))
    const walletIds = walletsNamed?.(parameters) ?? []
    const wallets = await present(walletIds.map((walletId) => this.parts.wallets.get(organizationId, walletId)))
    const exportedIds = asksExported ? await this.exportedIds(organizationId, keys, wallets) : []
    const importTarget =
      importFlow && (await this.parts.importTargets.get(organizationId, userOf(activity), importFlow))
    return {
      keys: keys.map(({ sealedKey }) => sealedKey),
      ...(wallets.length > 0 && { wallets: wallets.map(({ sealedWallet }) => sealedWallet) }),
      ...(exportedIds.length > 0 && { exportedIds }),
      ...(importTarget && { importTarget }),
    }
  }

  /** What only the store can tell, before the signer is asked. @returns the refusal, if there is one. */
  async lookAhead(activity: ActivityDocument): Promise<Refusal | undefined> {
    return (await this.takePaths(activity)) ?? refuseUnexported(activity, this.parts)
  }

  /** Takes the paths that the activity is for. @returns the refusal when another activity has one of them. */
  private async takePaths({ _id, organizationId, type, body }: ActivityDocument): Promise<Refusal | undefined> {
    const { described, parameters } = describe(type, body)
    const paths = described.pathsTaken?.(parameters) ?? []
    const [walletId] = described.walletsNamed?.(parameters) ?? []
    if (walletId === undefined || paths.length === 0) return undefined
    // Nobody takes paths of a wallet that is not his; the signer will say that it is not there.
    if ((await this.parts.wallets.get(organizationId, walletId)) === undefined) return undefined
    const taken = await this.parts.walletPaths.take(_id, walletId, paths)
    if (taken === undefined) return undefined
    const field = `parameters.accounts.${paths.indexOf(taken)}.path`
    return { code: 'WALLET_PATH_TAKEN', message: 'the wallet has an account at this path', field }
  }

  private async key(
    organizationId: string,
    name: string,
    kind: ActivityType['keyKind'],
  ): Promise<KeyDocument | undefined> {
    const { keyNames } = this.parts
    const keyIds = UUID.test(name) ? [name] : await keyNames.keyIds(organizationId, name)
    for (const keyId of keyIds) {
      const key = await this.keyOfId(organizationId, keyId, kind)
      if (key !== undefined) return key
    }
    return undefined
  }

  private async keyOfId(
    organizationId: string,
    keyId: string,
    kind: ActivityType['keyKind'],
  ): Promise<KeyDocument | undefined> {
    const { privateKeys, walletAccounts } = this.parts
    const privateKey = kind === 'walletAccount' ? undefined : await privateKeys.get(organizationId, keyId)
    if (privateKey !== undefined || kind === 'privateKey') return privateKey
    return walletAccounts.get(organizationId, keyId)
  }

  /** With its wallet an account has left, too. */
  private async exportedIds(organizationId: string, keys: KeyDocument[], wallets: WalletDocument[]): Promise<string[]> {
    const left = await Promise.all(
      keys.map(async (key) => {
        if (key.exported || key.kind === 'privateKey') return key.exported
        return (await this.parts.wallets.get(organizationId, key.walletId))?.exported === true
      }),
    )
    return [...keys.filter((_, i) => left[i]), ...wallets.filter((each) => each.exported)].map(({ _id }) => _id)
  }
}

/** Of activities that import: the signer has checked, or will, that it is the user who stamped. */
export function userOf({ body }: Pick<ActivityDocument, 'body'>): string {
  return (JSON.parse(body) as { parameters: { userId: string } }).parameters.userId
}

/** Each type's functions take the parameters that its own schema has read; the table cannot say so. */
interface Described extends Omit<ActivityType, 'keysNamed' | 'walletsNamed' | 'pathsTaken'> {
  keysNamed: (parameters: unknown) => string[]
  walletsNamed?: (parameters: unknown) => string[]
  pathsTaken?: (parameters: unknown) => string[]
}

function describe(type: string, body: string): { described: Described; parameters: unknown } {
  if (!isActivityTypeName(type)) throw new Error('an activity of an unknown type was accepted')
  const { parameters } = JSON.parse(body) as { parameters: unknown }
  return { described: activityTypes[type] as ActivityType as Described, parameters }
}

async function present<T>(found: Promise<T | undefined>[]): Promise<T[]> {
  return (await Promise.all(found)).filter((each) => each !== undefined)
}
