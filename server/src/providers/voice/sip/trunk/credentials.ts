import type { Surroundings } from "../net/surroundings.ts";
import { answerChallenge, type Challenge, chooseChallenge } from "../wire/digest.ts";
import type { SipRequest, SipResponse } from "../wire/message.ts";

/** How often each realm was answered for one request. */
export type Tried = Map<string, number>;

const maxTries = 3;
const maxRealms = 8;

/** A trunk's user and password, and its last challenge: while a nonce is valid, requests include their credentials at once. */
export class Credentials {
  private readonly account: { user: string; password: string } | null;
  private readonly around: Surroundings;
  private readonly challenges = new Map<string, { header: string; challenge: Challenge; count: number }>();

  constructor(around: Surroundings, { user, password }: { user: string | null; password: string | null }) {
    this.around = around;
    this.account = user === null || password === null ? null : { user, password };
  }

  /** The headers that answer earlier challenges. */
  headersFor({ method, uri, body }: Pick<SipRequest, "method" | "uri" | "body">): [string, string][] {
    const { account } = this;
    if (account === null) return [];
    return [...this.challenges.values()].map((one) => {
      one.count += 1;
      const cnonce = this.around.random(8).toString("hex");
      return [one.header, answerChallenge({ challenge: one.challenge, ...account, method, uri, body, count: one.count, cnonce })];
    });
  }

  /** Stores the challenge of a 401 or 407. false: it can't be answered, or was and the credentials are wrong. */
  learn(response: SipResponse, tried: Tried): boolean {
    const isProxy = response.status === 407;
    const challenge = chooseChallenge(response.headers.rowsOf(isProxy ? "proxy-authenticate" : "www-authenticate"));
    if (challenge === null || this.account === null) return false;
    const key = `${response.status} ${challenge.realm}`;
    const times = tried.get(key) ?? 0;
    // A new nonce with stale=true means that the password was right and only the nonce too old.
    if (times >= maxTries || (times > 0 && !challenge.isStale)) {
      this.challenges.delete(key);
      return false;
    }
    tried.set(key, times + 1);
    if (!this.challenges.has(key) && this.challenges.size >= maxRealms) this.challenges.clear();
    this.challenges.set(key, { header: isProxy ? "proxy-authorization" : "authorization", challenge, count: 0 });
    return true;
  }
}
