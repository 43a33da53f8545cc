"""Generated from the contract by python/tools/generate.py."""

# ruff: noqa
from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel


class ActionSummary(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    type: Annotated[str, Field(description="The action's type, as it was sent.")]


class ActionTarget(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    tool_name: Annotated[str, Field(description="The tool's name.")]
    tool_schema_version: Annotated[
        str, Field(description="The version of the tool's schema.")
    ]
    resource: Annotated[
        str | None,
        Field(description='What the tool acts on; null if nothing is named.'),
    ]


class ActionTypeLabel(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    ko: Annotated[str | None, Field(description='The text in this language.')] = None
    en: Annotated[str | None, Field(description='The text in this language.')] = None


class ActionTypeLabels(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )


class ActionTypeName(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    ko: Annotated[str | None, Field(description='The text in this language.')] = None
    en: Annotated[str | None, Field(description='The text in this language.')] = None


class ActionTypeSentence(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    ko: Annotated[str | None, Field(description='The text in this language.')] = None
    en: Annotated[str | None, Field(description='The text in this language.')] = None


class AdmittedBy(
    RootModel[Literal['role', 'group', 'person', 'escalation', 'emergency'] | str]
):
    root: Annotated[
        Literal['role', 'group', 'person', 'escalation', 'emergency'] | str,
        Field(
            description='What let the person approve at this step: their role, a group, being named in the policy, an escalation, or the right to approve in an emergency.'
        ),
    ]


class Agent(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str,
        Field(
            description="The agent's ID in your own system. If your API key is bound to an actor, this must be that actor's ID."
        ),
    ]
    name: Annotated[str | None, Field(description='The name that approvers see.')] = (
        None
    )


class AiContext(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    model: Annotated[
        str | None, Field(description='The model that made the decision.')
    ] = None
    provider: Annotated[str | None, Field(description='Who runs the model.')] = None
    confidence: Annotated[
        float | None, Field(description="The model's own confidence, from 0 to 1.")
    ] = None
    reasoning: Annotated[
        str | None,
        Field(
            description='The reasoning behind the decision, as the model or your code states it.'
        ),
    ] = None
    model_version: Annotated[
        str | None,
        Field(alias='modelVersion', description="The model's exact version."),
    ] = None
    agent_version: Annotated[
        str | None,
        Field(alias='agentVersion', description="The version of your agent's code."),
    ] = None
    tool_call_id: Annotated[
        str | None,
        Field(
            alias='toolCallId',
            description='The ID of the tool call in your framework that led to this decision.',
        ),
    ] = None
    trace_id: Annotated[
        str | None,
        Field(
            alias='traceId', description='The ID of the trace that the run belongs to.'
        ),
    ] = None
    span_id: Annotated[
        str | None,
        Field(alias='spanId', description='The ID of the span within the trace.'),
    ] = None
    prompt_digest: Annotated[
        str | None,
        Field(
            alias='promptDigest',
            description='A digest of the prompt, so that you can prove later which prompt was used without storing it here.',
        ),
    ] = None


class Anchoring(RootModel[Literal['logged', 'witnessed', 'timestamped'] | str]):
    root: Annotated[
        Literal['logged', 'witnessed', 'timestamped'] | str,
        Field(
            description='How well the checkpoint is attested: `logged` (signed by this server), `witnessed` (cosigned by witnesses) or `timestamped` (by a time-stamping authority).'
        ),
    ]


class ApiKeyScope(
    RootModel[Literal['decide', 'proof:read', 'proof:write', 'proof:approve', 'events:write', 'webhooks:write', 'policies:write', 'sandboxes:write'] | str]
):
    root: Annotated[
        Literal['decide', 'proof:read', 'proof:write', 'proof:approve', 'events:write', 'webhooks:write', 'policies:write', 'sandboxes:write'] | str,
        Field(
            description="What an API key can do. `decide` is for a single agent: the key can record and read decisions, ask whether the agent may act, consume decisions and report outcomes, always as the actor that the key is bound to. `proof:read` allows reading decisions, evidence and chains. `proof:write` allows recording decisions, and `proof:approve` approving them; both include `proof:read`, and both can add approvals. If a policy accepts an approver who is named by an API key, the key must have the `proof:approve` scope and can't be the key that recorded the decision. `events:write` allows publishing events. `webhooks:write` allows managing webhooks. `policies:write` allows reading policies and importing them from a file; what loosens them still needs people's approval. `sandboxes:write` allows creating, refreshing and ending the center's sandboxes, which start with its policies."
        ),
    ]


class AppEventType(
    RootModel[Literal['payment.completed', 'payment.failed', 'attendance.verified', 'certificate.issued'] | str]
):
    root: Annotated[
        Literal['payment.completed', 'payment.failed', 'attendance.verified', 'certificate.issued'] | str,
        Field(description='An event type that a companion application can publish.'),
    ]


class AppliedPolicy(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The policy's ID.")]
    version: Annotated[int, Field(description='The version that applied.')]
    digest: Annotated[str, Field(description="The policy version's digest.")]


class ApprovalChannel(RootModel[Literal['api', 'page', 'console'] | str]):
    root: Annotated[
        Literal['api', 'page', 'console'] | str,
        Field(
            description='Where the approval was given: through the API, on the approval page or in the console.'
        ),
    ]


class ApprovalResult(RootModel[Literal['approved', 'rejected'] | str]):
    root: Annotated[
        Literal['approved', 'rejected'] | str,
        Field(
            description='Whether the decision is approved or refused. Either result is sealed.'
        ),
    ]


class ApproverRole(RootModel[Literal['ADMIN', 'INSTRUCTOR'] | str]):
    root: Annotated[
        Literal['ADMIN', 'INSTRUCTOR'] | str,
        Field(description='The role of a member who may approve.'),
    ]


class ApproverType(RootModel[Literal['human', 'system'] | str]):
    root: Annotated[
        Literal['human', 'system'] | str,
        Field(description='Whether a person or a system approves.'),
    ]


class ApprovingGuard(
    RootModel[Literal['humanReview', 'riskThreshold', 'dualApproval', 'minimumEvidenceLevel'] | str]
):
    root: Annotated[
        Literal['humanReview', 'riskThreshold', 'dualApproval', 'minimumEvidenceLevel'] | str,
        Field(description='A policy guard that requires an approval.'),
    ]


class ChainDomain(RootModel[Literal['dpu', 'proof', 'history'] | str]):
    root: Annotated[
        Literal['dpu', 'proof', 'history'] | str,
        Field(
            description="One of the center's chains: `proof` (decisions), `dpu` (DPUs created on the platform) or `history` (later changes)."
        ),
    ]


class ChainPosition(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    hash: Annotated[
        str,
        Field(
            description='The hash of this entry: `sha256:` followed by 64 hex digits.'
        ),
    ]
    previous_hash: Annotated[
        str | None,
        Field(
            alias='previousHash',
            description='The hash of the previous entry. Null for the first entry of the chain.',
        ),
    ]
    index: Annotated[
        int, Field(description="The entry's index in the chain, counted from 0.")
    ]
    domain: ChainDomain


class CheckOutcome(RootModel[Literal['completed', 'approval_required', 'refused'] | str]):
    root: Annotated[
        Literal['completed', 'approval_required', 'refused'] | str,
        Field(
            description='The outcome that `POST /api/v1/agents/decide` would return. `refused` stands for its 422 `POLICY_VIOLATION` response.'
        ),
    ]


class CheckedRefusal(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    policy_id: Annotated[
        str,
        Field(alias='policyId', description='The policy that refuses the decision.'),
    ]
    rule: Annotated[
        str, Field(description='The part of the policy that refuses the decision.')
    ]
    guard: Annotated[str, Field(description='The guard that refuses the decision.')]
    message: Annotated[str, Field(description='The reason in a sentence.')]


class Checkpoint(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    log: Annotated[
        str,
        Field(
            description="The log's name, which consists of the host, the center and the chain's domain."
        ),
    ]
    size: Annotated[
        int, Field(description='The number of entries that the checkpoint covers.')
    ]
    root: Annotated[
        str | None,
        Field(
            description='The root of the tree in base64. Null while the chain is empty.'
        ),
    ]
    checkpoint: Annotated[
        str | None,
        Field(description='The signed checkpoint. Null while the chain is empty.'),
    ]
    anchoring: Annotated[
        Anchoring | None,
        Field(
            description='How well the checkpoint is attested. Null while the chain is empty.'
        ),
    ]


class ClosedLog(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    log: Annotated[
        str,
        Field(
            description="The log's name, which consists of the host, the center and the chain's domain."
        ),
    ]
    size: Annotated[
        int, Field(description='The size of the newest checkpoint that was restored.')
    ]
    checkpoint: Annotated[
        str | None,
        Field(
            description='The newest checkpoint that was restored. Null if there was none.'
        ),
    ]


class CommentAuthor(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The author's actor ID.")]
    name: Annotated[str, Field(description="The author's current name.")]


class ConditionOperator(RootModel[Literal['eq', 'in', 'gt', 'lt', 'exists'] | str]):
    root: Annotated[
        Literal['eq', 'in', 'gt', 'lt', 'exists'] | str,
        Field(description='How the value is compared.'),
    ]


class ConfirmationResult(RootModel[Literal['confirmed', 'objected'] | str]):
    root: Annotated[
        Literal['confirmed', 'objected'] | str,
        Field(
            description='Whether the emergency approval is confirmed, or objected to. Either result is sealed.'
        ),
    ]


class ConsistencyProof(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    log: Annotated[
        str,
        Field(
            description="The log's name, which consists of the host, the center and the chain's domain."
        ),
    ]
    from_: Annotated[
        int, Field(alias='from', description='The size of the earlier checkpoint.')
    ]
    to: Annotated[int, Field(description='The size of the later checkpoint.')]
    consistency_proof: Annotated[
        list[str],
        Field(
            alias='consistencyProof',
            description='The 32-byte hashes that make up the proof, in base64.',
        ),
    ]


class DecisionComment(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The comment's ID.")]
    author: CommentAuthor
    text: Annotated[str, Field(description='What the author wrote.')]
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the comment was written.')
    ]


class DecisionEventStatus(
    RootModel[Literal['recorded', 'sealed', 'approved', 'rejected'] | str]
):
    root: Annotated[
        Literal['recorded', 'sealed', 'approved', 'rejected'] | str,
        Field(
            description='The state of a decision. `recorded`: not approved or refused yet. `approved`: approved once, but another approval is still needed. `sealed`: sealed with all the approvals it needs, if any. `rejected`: refused and sealed.'
        ),
    ]


class DecisionEventType(
    RootModel[Literal['agent_execution', 'workflow_step', 'human_approval', 'ai_recommendation', 'automated_action', 'policy_decision', 'escalation', 'custom'] | str]
):
    root: Annotated[
        Literal['agent_execution', 'workflow_step', 'human_approval', 'ai_recommendation', 'automated_action', 'policy_decision', 'escalation', 'custom'] | str,
        Field(description='The kind of decision.'),
    ]


class DecisionOutcome(
    RootModel[Literal['completed', 'approval_required', 'refused', 'pending'] | str]
):
    root: Annotated[
        Literal['completed', 'approval_required', 'refused', 'pending'] | str,
        Field(
            description="Whether the agent may act. `completed`: the decision is sealed, so the agent may act. `approval_required`: a person has to approve the decision first. `refused`: a person refused the decision, it expired, or another decision replaced it; the refusal is sealed. `pending`: the decision couldn't be sealed yet; repeat the request with the same `Idempotency-Key`."
        ),
    ]


class DecisionTurnAhead(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    policy_id: Annotated[
        str,
        Field(
            alias='policyId',
            description="The ID of the policy. `countersign` for the service's own line.",
        ),
    ]
    version: Annotated[int, Field(description="The policy's version.")]
    step: Annotated[int, Field(description='The step, counted from 0.')]
    title: Annotated[
        str | None, Field(description="The step's title. Null if it has none.")
    ]


class DeliveryStatus(RootModel[Literal['success', 'failed'] | str]):
    root: Annotated[
        Literal['success', 'failed'] | str,
        Field(description='The result of the last attempt.'),
    ]


class DestinationType(RootModel[Literal['http', 'nats', 'rabbitmq'] | str]):
    root: Annotated[
        Literal['http', 'nats', 'rabbitmq'] | str,
        Field(
            description='How events are sent: `http` posts them to a URL, `nats` publishes to a JetStream stream, `rabbitmq` publishes to an exchange.'
        ),
    ]


class EmergencyState(
    RootModel[Literal['open', 'confirmed', 'objected', 'unconfirmed'] | str]
):
    root: Annotated[
        Literal['open', 'confirmed', 'objected', 'unconfirmed'] | str,
        Field(
            description="Whether it's still to be confirmed (`open`), is `confirmed`, was `objected` to, or nobody confirmed it in time (`unconfirmed`). If it was objected to or not confirmed in time, the decision can't be consumed."
        ),
    ]


class EventActorType(RootModel[Literal['human', 'ai_agent', 'system', 'service'] | str]):
    root: Annotated[
        Literal['human', 'ai_agent', 'system', 'service'] | str,
        Field(
            description='The kind of actor: a person, an AI agent, a system or a service.'
        ),
    ]


class EvidenceLevel(RootModel[Literal['DRAFT', 'DOCUMENTED', 'AUDIT_READY'] | str]):
    root: Annotated[
        Literal['DRAFT', 'DOCUMENTED', 'AUDIT_READY'] | str,
        Field(
            description='How far a record has been reviewed. The level can only rise.'
        ),
    ]


class EvidenceStatus(RootModel[Literal['pending', 'sealed'] | str]):
    root: Annotated[
        Literal['pending', 'sealed'] | str,
        Field(description='`pending` until the record is in the chain, then `sealed`.'),
    ]


class ExecutionOutcome(RootModel[Literal['succeeded', 'failed', 'unknown'] | str]):
    root: Annotated[
        Literal['succeeded', 'failed', 'unknown'] | str,
        Field(
            description='Whether the action succeeded or failed. `unknown` means that nobody can tell, for example after a crash.'
        ),
    ]


class ExecutionOutput(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )


class ExecutionReport(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    status: ExecutionOutcome
    reported_at: Annotated[
        str, Field(alias='reportedAt', description='When the outcome was reported.')
    ]
    output: ExecutionOutput | None = None


class FiledActionType(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    type: Annotated[str, Field(description='The action type.')]
    name: ActionTypeName
    sentence: ActionTypeSentence | None = None
    labels: ActionTypeLabels | None = None


class FiledPolicyEmergency(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    roles: Annotated[
        list[ApproverRole] | None,
        Field(description='Members with any of these roles may approve.'),
    ] = None
    actor_ids: Annotated[
        list[str] | None,
        Field(alias='actorIds', description='Members who may approve, by actor ID.'),
    ] = None
    group_ids: Annotated[
        list[str] | None,
        Field(
            alias='groupIds',
            description="The center's groups whose members are meant, by name or ID.",
        ),
    ] = None
    confirm_within_seconds: Annotated[
        int,
        Field(
            alias='confirmWithinSeconds',
            description='How many seconds the approval line has to confirm an emergency approval.',
        ),
    ]


class FiledPolicyInform(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    roles: Annotated[
        list[ApproverRole] | None,
        Field(description='Members with any of these roles may approve.'),
    ] = None
    actor_ids: Annotated[
        list[str] | None,
        Field(alias='actorIds', description='Members who may approve, by actor ID.'),
    ] = None
    group_ids: Annotated[
        list[str] | None,
        Field(
            alias='groupIds',
            description="The center's groups whose members are meant, by name or ID.",
        ),
    ] = None


class GivenApprover(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str | None,
        Field(
            description="The approver's ID in your own system, or their actor ID if they're a member of the center."
        ),
    ] = None
    type: ApproverType | None = None
    name: Annotated[
        str | None,
        Field(description="The approver's name, as it should appear in the record."),
    ] = None


class Health(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    status: Annotated[
        Literal['ok'] | str,
        Field(
            description="Always `ok`. If the server isn't healthy, the response is an error."
        ),
    ]


class HomeLinks(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    docs: Annotated[
        Literal['/docs'] | str, Field(description='The API reference and guides.')
    ]
    verify: Annotated[
        Literal['/verify'] | str,
        Field(description='The page that verifies a record or a file.'),
    ]
    openapi: Annotated[
        Literal['/openapi.json'] | str, Field(description='This description of the API.')
    ]
    health: Annotated[Literal['/health/ready'] | str, Field(description='The health check.')]


class IdentityLevel(RootModel[Literal['claim', 'session', 'passkey', 'system'] | str]):
    root: Annotated[
        Literal['claim', 'session', 'passkey', 'system'] | str,
        Field(
            description='Who vouches for the approver: an API key that names a person (`claim`), a signed-in member (`session`), their passkey (`passkey`) or this service (`system`).'
        ),
    ]


class InclusionProof(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    log: Annotated[
        str,
        Field(
            description="The log's name, which consists of the host, the center and the chain's domain."
        ),
    ]
    index: Annotated[
        int, Field(description="The entry's index in the log, counted from 0.")
    ]
    size: Annotated[
        int, Field(description='The size of the tree that the proof leads to.')
    ]
    inclusion_proof: Annotated[
        list[str],
        Field(
            alias='inclusionProof',
            description='The 32-byte hashes in base64, from the entry up to the root.',
        ),
    ]
    checkpoint: Annotated[
        str,
        Field(
            description="A signed checkpoint (c2sp.org/tlog-checkpoint) with the witnesses' cosignatures."
        ),
    ]
    tlog_proof: Annotated[
        str,
        Field(
            alias='tlogProof',
            description='The proof as a single text (c2sp.org/tlog-proof).',
        ),
    ]


class JsonLdContext(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )


class JsonObject(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )


class JsonSchema(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )


class Jwk(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    kty: Annotated[str, Field(description='The key type.')]
    crv: Annotated[str, Field(description='The curve.')]
    x: Annotated[str, Field(description='The x coordinate, in base64url.')]
    y: Annotated[str, Field(description='The y coordinate, in base64url.')]
    kid: Annotated[
        str, Field(description="The key's ID, as in the header of an access token.")
    ]
    alg: Annotated[str, Field(description='The signature algorithm.')]
    use: Annotated[str, Field(description='What the key is for: `sig`.')]


class Jwks(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    keys: Annotated[
        list[Jwk], Field(description='The keys, in any order. Choose by `kid`.')
    ]


class LinePerson(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    actor_id: Annotated[
        str, Field(alias='actorId', description="The member's actor ID.")
    ]
    name: Annotated[str, Field(description="The member's current name.")]


class LinePlace(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    approval: Annotated[
        int | None,
        Field(
            description='The approval that fills the place, as its position in `approvals`. Null while the place is empty, and if a confirmation fills it.'
        ),
    ]
    confirmation: Annotated[
        int | None,
        Field(
            description='In a line that an emergency approval filled: the confirmation that fills the place, as its position in `emergency.confirmations`. Null while the place is empty, and in any other line.'
        ),
    ]
    by: Annotated[
        AdmittedBy | None,
        Field(
            description='What let the person approve at this step. Null while the place is empty.'
        ),
    ]


class LogKey(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    vkey: Annotated[
        str, Field(description='A verifier key as in c2sp.org/signed-note.')
    ]
    from_: Annotated[
        str, Field(alias='from', description='When the key started signing.')
    ]
    until: Annotated[
        str | None,
        Field(description='When the key stopped signing. Null for the current key.'),
    ]
    stolen_at: Annotated[
        str | None,
        Field(
            alias='stolenAt',
            description="When the key was reported stolen. Anything it signed after that proves nothing, and `policy` no longer trusts the key. Null if it wasn't reported stolen.",
        ),
    ]
    endorsement: Annotated[
        str | None,
        Field(
            description="The previous key's signature over `endorsedText` in base64. Null for the first key."
        ),
    ]
    endorsed_text: Annotated[
        str,
        Field(
            alias='endorsedText',
            description='The text that the previous key signed to hand over to this one.',
        ),
    ]


class LogSuccession(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )


class NamedSandbox(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[int, Field(description="The sandbox's own center ID.")]
    sandbox_of: Annotated[
        int,
        Field(alias='sandboxOf', description='The center that the sandbox belongs to.'),
    ]
    name: Annotated[str, Field(description="The sandbox's name.")]
    domain: Annotated[str, Field(description="The sandbox's subdomain.")]
    first: Annotated[
        bool,
        Field(
            description='Whether `POST /api/centers/{center}/sandbox/reset` means this sandbox.'
        ),
    ]
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the sandbox was created.')
    ]
    refreshed_at: Annotated[
        str,
        Field(
            alias='refreshedAt',
            description="When the center's policies, action types, groups and settings were last copied.",
        ),
    ]


class NewConsumption(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    action_digest: Annotated[
        str,
        Field(
            alias='actionDigest',
            description="The digest that you computed from the action you're about to run: `sha256:` followed by 64 hex digits.",
        ),
    ]
    executor: Annotated[
        str,
        Field(
            description='Identifies one attempt to run the action. Choose a new value for each attempt, and keep it only in memory.'
        ),
    ]


class NewEvent(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str,
        Field(
            description="Your own ID for the event, which makes it safe to repeat the request. It can contain only visible ASCII characters, because it's sent in a delivery header."
        ),
    ]
    type: AppEventType
    data: Annotated[
        JsonObject,
        Field(description='What happened, in the form that the event type defines.'),
    ]


class NewOutcome(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    executor: Annotated[
        str,
        Field(
            description='Identifies one attempt to run the action. Choose a new value for each attempt, and keep it only in memory.'
        ),
    ]
    status: ExecutionOutcome
    output: Annotated[
        JsonObject | None,
        Field(
            description="The action's result, at most 16,384 bytes of JSON. Every export of the decision contains it."
        ),
    ] = None


class NewRecovery(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    since: Annotated[str, Field(description='Events since this time are sent again.')]


class NewSandbox(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    name: Annotated[
        str,
        Field(
            description="The sandbox's name, on a single line. Two sandboxes of a center can't have the same name."
        ),
    ]
    scopes: Annotated[
        list[ApiKeyScope] | None,
        Field(
            description="What the sandbox's key can do. By default everything except `decide`, which needs a bound key, and `sandboxes:write`."
        ),
    ] = None


class NewWebhook(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    type: DestinationType | None = None
    url: Annotated[
        str,
        Field(
            description='The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response.'
        ),
    ]
    subject: Annotated[
        str | None,
        Field(
            description='For `nats`: the subject, without wildcards. A stream must store it.'
        ),
    ] = None
    exchange: Annotated[
        str | None,
        Field(
            description='For `rabbitmq`: an exchange that exists. Leave empty for the default exchange.'
        ),
    ] = None
    routing_key: Annotated[
        str | None,
        Field(
            alias='routingKey',
            description='For `rabbitmq`: the routing key. With the default exchange, the name of a queue.',
        ),
    ] = None
    events: Annotated[
        list[str],
        Field(
            description='Event types, `*` for all of them, or a prefix such as `payment.*`.'
        ),
    ]
    description: Annotated[
        str | None,
        Field(description='A note to yourself about what the endpoint is for.'),
    ] = None
    active: Annotated[
        bool | None, Field(description='Whether events are sent from the start.')
    ] = None


class OpenApiDocument(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )


class Outcome(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    event_id: Annotated[
        str, Field(alias='eventId', description="The decision event's ID.")
    ]
    status: ExecutionOutcome
    reported_at: Annotated[
        str, Field(alias='reportedAt', description='When the outcome was reported.')
    ]
    chain_hash: Annotated[
        str,
        Field(
            alias='chainHash',
            description='The hash of the chain entry that records the outcome.',
        ),
    ]


class PendingApproval(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    schema_version: Annotated[
        Literal['1.0'] | str, Field(description='The version of the format.')
    ]
    type: Annotated[
        Literal['approval_response'] | str, Field(description='The kind of message.')
    ]
    approval_request_id: Annotated[
        str,
        Field(
            description="The gateway's ID for this request, new for every attempt. It becomes the `decisionId`, and the decision is consumed in its name."
        ),
    ]
    action_digest: Annotated[
        str, Field(description='The `action_digest` of the request.')
    ]
    event_id: Annotated[str, Field(description="The decision event's ID.")]
    status: Annotated[Literal['pending'] | str, Field(description='Nobody has decided yet.')]
    approval_url: Annotated[
        str, Field(description='The page where a member can approve or refuse.')
    ]


class PendingDecision(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    event_id: Annotated[
        str, Field(alias='eventId', description="The decision event's ID.")
    ]
    approval_url: Annotated[
        str,
        Field(
            alias='approvalUrl',
            description='The page where a member can approve or refuse the change.',
        ),
    ]


class PolicyCondition(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    pointer: Annotated[
        str,
        Field(
            description="A JSON Pointer (RFC 6901) to one of the decision's values: `/action/input` or a value in it, `/tags`, `/aiContext/confidence` or `/riskScore`."
        ),
    ]
    op: ConditionOperator
    value: Annotated[
        str | float | bool | list[str | float | bool] | None,
        Field(
            description='What to compare the value with: a value for `eq`, a list for `in`, a number for `gt` and `lt`, a boolean for `exists` (default true).'
        ),
    ] = None


class PolicyEmergency(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    roles: Annotated[
        list[ApproverRole] | None,
        Field(description='Members with any of these roles may approve.'),
    ] = None
    actor_ids: Annotated[
        list[str] | None,
        Field(alias='actorIds', description='Members who may approve, by actor ID.'),
    ] = None
    group_ids: Annotated[
        list[str] | None,
        Field(
            alias='groupIds',
            description="The center's groups whose members may approve.",
        ),
    ] = None
    confirm_within_seconds: Annotated[
        int,
        Field(
            alias='confirmWithinSeconds',
            description='How many seconds the approval line has to confirm an emergency approval.',
        ),
    ]


class PolicyEscalation(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    roles: Annotated[
        list[ApproverRole] | None,
        Field(description='Members with any of these roles may approve.'),
    ] = None
    actor_ids: Annotated[
        list[str] | None,
        Field(alias='actorIds', description='Members who may approve, by actor ID.'),
    ] = None
    after_seconds: Annotated[
        int,
        Field(
            alias='afterSeconds',
            description='How many seconds must pass before these members may approve too.',
        ),
    ]


class PolicyFileEffect(RootModel[Literal['created', 'changed', 'ended'] | str]):
    root: Annotated[
        Literal['created', 'changed', 'ended'] | str, Field(description='How it changes.')
    ]


class PolicyFileKind(RootModel[Literal['policy', 'actionType'] | str]):
    root: Annotated[Literal['policy', 'actionType'] | str, Field(description='What changes.')]


class PolicyGuards(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    policy_required: Annotated[
        bool | None,
        Field(
            alias='policyRequired',
            description='Refuse any decision that no other policy matches.',
        ),
    ] = None
    minimum_evidence_level: Annotated[
        EvidenceLevel | None, Field(alias='minimumEvidenceLevel')
    ] = None
    human_review: Annotated[
        bool | None,
        Field(
            alias='humanReview',
            description='A person other than the one who decided must approve the decision.',
        ),
    ] = None
    risk_threshold: Annotated[
        float | None,
        Field(
            alias='riskThreshold',
            description='A person must approve the decision if its risk score is higher than this value or absent.',
        ),
    ] = None
    dual_approval: Annotated[
        bool | None,
        Field(
            alias='dualApproval',
            description='Two different people must approve the decision.',
        ),
    ] = None


class PolicyInform(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    roles: Annotated[
        list[ApproverRole] | None,
        Field(description='Members with any of these roles may approve.'),
    ] = None
    actor_ids: Annotated[
        list[str] | None,
        Field(alias='actorIds', description='Members who may approve, by actor ID.'),
    ] = None
    group_ids: Annotated[
        list[str] | None,
        Field(
            alias='groupIds',
            description="The center's groups whose members may approve.",
        ),
    ] = None


class PolicyTestDifference(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    path: Annotated[
        str,
        Field(description='Where the result differs from `expect`, as a JSON Pointer.'),
    ]
    expected: Annotated[Any, Field(description='What the test expects.')]
    actual: Annotated[Any, Field(description='What the policies say.')]


class PolicyTestResult(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    name: Annotated[str, Field(description="The test's name.")]
    passed: Annotated[
        bool, Field(description='Whether the policies say what the test expects.')
    ]
    differences: Annotated[
        list[PolicyTestDifference],
        Field(description='What differs. Empty if the test passed.'),
    ]


class PublicCheckpoint(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    size: Annotated[
        int, Field(description='The number of entries that the checkpoint covers.')
    ]
    root: Annotated[str, Field(description='The root of the tree in base64.')]
    note: Annotated[
        str, Field(description='The signed checkpoint, a C2SP signed note.')
    ]


class PublicChecks(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    valid: Annotated[bool, Field(description='Whether every check below passed.')]
    hash: Annotated[
        bool, Field(description='Whether the stored entry still matches its hash.')
    ]
    link: Annotated[
        bool,
        Field(
            description='Whether the entry refers to the hash of the previous entry.'
        ),
    ]
    place: Annotated[
        bool,
        Field(
            description='Whether the hashed text names this log, this index and this record.'
        ),
    ]
    tree: Annotated[
        bool | None,
        Field(
            description='Whether the hash leads to the root in the signed checkpoint. Null before the first checkpoint.'
        ),
    ]
    chain: Annotated[
        bool,
        Field(
            description='True if no verification has found this chain broken at or before this record.'
        ),
    ]
    message: Annotated[str, Field(description='The result in a sentence.')]


class PublicVerification(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    event_id: Annotated[
        str,
        Field(
            alias='eventId',
            description="The ID from the path: the decision event's, the evidence's or the DPU's.",
        ),
    ]
    dpu_id: Annotated[
        str, Field(alias='dpuId', description='The DPU that holds the record.')
    ]
    status: Annotated[
        Literal['sealed'] | str,
        Field(
            description="Always `sealed`: a record that isn't sealed yet can't be looked up."
        ),
    ]
    log: Annotated[
        str, Field(description='The name of the log that contains the record.')
    ]
    sandbox: Annotated[
        bool,
        Field(
            description="Whether the log belongs to a sandbox. A sandbox's records are test data and prove nothing."
        ),
    ]
    domain: ChainDomain
    chain_index: Annotated[
        int,
        Field(
            alias='chainIndex',
            description="The entry's index in the chain, counted from 0.",
        ),
    ]
    chain_hash: Annotated[
        str | None,
        Field(
            alias='chainHash',
            description="The hash of the chain entry. Null if the stored entry can't be read.",
        ),
    ]
    sealed_at: Annotated[
        str, Field(alias='sealedAt', description='When the record was sealed.')
    ]
    evidence_level: Annotated[EvidenceLevel, Field(alias='evidenceLevel')]
    result: Annotated[
        ApprovalResult | None,
        Field(
            description='Whether the decision was approved or refused. Null if no approval was needed.'
        ),
    ]
    verified: PublicChecks
    verified_at: Annotated[
        str, Field(alias='verifiedAt', description='When the server ran the checks.')
    ]
    anchoring: Annotated[
        Anchoring | None,
        Field(
            description='How well the checkpoint is attested. Null before the first checkpoint.'
        ),
    ]
    checkpoint: Annotated[
        PublicCheckpoint | None,
        Field(
            description='The checkpoint that covers the record. Null before the first one.'
        ),
    ]
    inclusion_proof: Annotated[
        list[str] | None,
        Field(
            alias='inclusionProof',
            description='Hashes in base64 from the leaf up to the root. Null before the first checkpoint.',
        ),
    ]


class Receipt(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    log: Annotated[
        str,
        Field(
            description="The log's name, which consists of the host, the center and the chain's domain."
        ),
    ]
    index: Annotated[
        int, Field(description="The entry's index in the log, counted from 0.")
    ]
    size: Annotated[
        int, Field(description='The size of the tree that the proof leads to.')
    ]
    inclusion_proof: Annotated[
        list[str],
        Field(
            alias='inclusionProof',
            description='The 32-byte hashes in base64, from the entry up to the root.',
        ),
    ]
    checkpoint: Annotated[
        str,
        Field(
            description="A signed checkpoint (c2sp.org/tlog-checkpoint) with the witnesses' cosignatures."
        ),
    ]


class RecentDeliveries(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    succeeded: Annotated[
        int, Field(description='The number of deliveries that your endpoint accepted.')
    ]
    failed: Annotated[
        int,
        Field(description="The number of deliveries that failed and won't be retried."),
    ]
    pending: Annotated[
        int,
        Field(description='The number of deliveries that are due or will be retried.'),
    ]
    held: Annotated[
        int,
        Field(
            description='The number of deliveries held while the webhook is turned off.'
        ),
    ]


class RecoveryStatus(RootModel[Literal['running', 'completed'] | str]):
    root: Annotated[
        Literal['running', 'completed'] | str,
        Field(description='Whether the recovery is still running.'),
    ]


class RegisteredWebhook(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The webhook's ID.")]
    type: DestinationType
    url: Annotated[
        str,
        Field(
            description='The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response.'
        ),
    ]
    subject: Annotated[
        str | None,
        Field(
            description='For `nats`: the subject, without wildcards. A stream must store it.'
        ),
    ] = None
    exchange: Annotated[
        str | None,
        Field(
            description='For `rabbitmq`: an exchange that exists. Leave empty for the default exchange.'
        ),
    ] = None
    routing_key: Annotated[
        str | None,
        Field(
            alias='routingKey',
            description='For `rabbitmq`: the routing key. With the default exchange, the name of a queue.',
        ),
    ] = None
    events: Annotated[
        list[str],
        Field(
            description='Event types, `*` for all of them, or a prefix such as `payment.*`.'
        ),
    ]
    description: Annotated[
        str, Field(description='A note to yourself about what the endpoint is for.')
    ]
    active: Annotated[
        bool,
        Field(
            description='Whether events are sent. While this is false, the server holds them.'
        ),
    ]
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the webhook was created.')
    ]
    signing_secret: Annotated[
        str,
        Field(
            alias='signingSecret',
            description="The signing secret: `whsec_` followed by 32 random bytes in base64. It's shown only in this response.",
        ),
    ]


class RequiredIdentity(RootModel[Literal['claim', 'session', 'passkey'] | str]):
    root: Annotated[
        Literal['claim', 'session', 'passkey'] | str,
        Field(
            description="How an approver's identity must be established. `claim`: the person is named by an API key that has the `proof:approve` scope and isn't the key that recorded the decision. `session`: the person is a signed-in member. `passkey`: the person is a signed-in member whose passkey signed the approval. Defaults to `session`. A higher level satisfies a lower one."
        ),
    ]


class RotatedSecret(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The webhook's ID.")]
    signing_secret: Annotated[
        str,
        Field(
            alias='signingSecret',
            description="The signing secret: `whsec_` followed by 32 random bytes in base64. It's shown only in this response.",
        ),
    ]


class RuleChanger(
    RootModel[Literal['line', 'administrator', 'asker', 'partner', 'operator'] | str]
):
    root: Annotated[
        Literal['line', 'administrator', 'asker', 'partner', 'operator'] | str,
        Field(
            description="Who decides about a change that makes the policy less strict: the people of its own approval line, another ADMIN (if the policy doesn't require an approval), the ADMIN who makes the change (in a sandbox), the partner or the operator."
        ),
    ]


class SandboxKey(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    key: Annotated[
        str,
        Field(
            description="The API key, which works only in this sandbox. It's shown only in this response."
        ),
    ]
    scopes: Annotated[
        list[ApiKeyScope], Field(description='What the key can do in the sandbox.')
    ]


class ScheduledDelivery(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    webhook_id: Annotated[
        str,
        Field(alias='webhookId', description='The webhook that the event is sent to.'),
    ]
    status: Annotated[
        Literal['scheduled'] | str,
        Field(description='Always `scheduled`: the event will be sent now.'),
    ]


class SealedActor(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str | None,
        Field(
            description="The actor's ID in your own system. Policies, API keys and list filters refer to this ID, so keep it stable."
        ),
    ] = None
    type: EventActorType | None = None
    name: Annotated[str | None, Field(description='The name that approvers see.')] = (
        None
    )


class SealedApprover(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str | None,
        Field(
            description="The approver's ID in your own system, or their actor ID if they're a member of the center."
        ),
    ] = None
    type: ApproverType | None = None
    name: Annotated[
        str | None,
        Field(description="The approver's name, as it should appear in the record."),
    ] = None


class SecretAge(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the secret was created.')
    ]
    expires_at: Annotated[
        str | None,
        Field(
            alias='expiresAt',
            description='When the secret stops being valid. Null for the current one.',
        ),
    ]


class SecretRotation(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    expire_previous_after_seconds: Annotated[
        int | None,
        Field(
            alias='expirePreviousAfterSeconds',
            description='How long previous secrets stay valid, in seconds. Send 0 after a secret has leaked.',
        ),
    ] = None


class ShownEventActor(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str,
        Field(
            description="The actor's ID in your own system. Empty if it has been redacted."
        ),
    ]
    type: EventActorType
    name: Annotated[
        str | None, Field(description="The actor's name, if one was sent.")
    ] = None


class SubscriptionStatus(
    RootModel[Literal['ACTIVE', 'TRIAL', 'PAST_DUE', 'CANCELED', 'SUSPENDED'] | str]
):
    root: Annotated[
        Literal['ACTIVE', 'TRIAL', 'PAST_DUE', 'CANCELED', 'SUSPENDED'] | str,
        Field(description='The state of a subscription. `CANCELED` is final.'),
    ]


class TestEvent(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    event_id: Annotated[
        str,
        Field(
            alias='eventId',
            description="The event's ID, the same for every endpoint and every attempt.",
        ),
    ]
    type: Annotated[
        Literal['ping'] | str, Field(description='The type of the event that is sent.')
    ]


class TestIdentity(RootModel[Literal['session', 'passkey'] | str]):
    root: Annotated[
        Literal['session', 'passkey'] | str,
        Field(description="How the test person's identity is established."),
    ]


class TestPerson(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The test person's actor ID.")]
    name: Annotated[str, Field(description="The test person's name.")]
    role: Annotated[
        ApproverRole, Field(description="The test person's role in the sandbox.")
    ]
    groups: Annotated[
        list[str],
        Field(description='The names of the groups that this test person is in.'),
    ]


class Vertical(
    RootModel[Literal['rehabilitation', 'welfare', 'education', 'pharmacy', 'commerce', 'mentoring', 'interior'] | str]
):
    root: Annotated[
        Literal['rehabilitation', 'welfare', 'education', 'pharmacy', 'commerce', 'mentoring', 'interior'] | str,
        Field(
            description="The field that a center works in. It determines the center's defaults and workflows."
        ),
    ]


class WaitingRule(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The policy's ID.")]
    version: Annotated[
        int, Field(description='The version of the policy that applies.')
    ]
    name: Annotated[str, Field(description="The policy's name.")]
    description: Annotated[
        str | None,
        Field(
            description="What the policy is for, in the administrator's words. Null if there is no description."
        ),
    ]
    guards: Annotated[
        list[ApprovingGuard],
        Field(description='The guards in this policy that require an approval.'),
    ]
    identity: RequiredIdentity
    roles: Annotated[
        list[ApproverRole] | None,
        Field(
            description='Members with any of these roles may approve. Null if the policy names no roles.'
        ),
    ]
    expires_after_seconds: Annotated[
        int | None,
        Field(
            alias='expiresAfterSeconds',
            description="The number of seconds that a decision can wait before it's refused. Null if it never expires.",
        ),
    ]
    usable_for_seconds: Annotated[
        int,
        Field(
            alias='usableForSeconds',
            description='How many seconds after the approval the decision can be consumed.',
        ),
    ]
    pointers: Annotated[
        list[str],
        Field(
            description="JSON Pointers to the values that the policy's conditions read."
        ),
    ]
    conditions: Annotated[
        list[PolicyCondition],
        Field(
            description="The policy's conditions, which you can use to show its limits."
        ),
    ]
    risk_threshold: Annotated[
        float | None,
        Field(
            alias='riskThreshold',
            description="The policy's `riskThreshold`. Null if it has none.",
        ),
    ]


class Webhook(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The webhook's ID.")]
    type: DestinationType
    url: Annotated[
        str,
        Field(
            description='The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response.'
        ),
    ]
    subject: Annotated[
        str | None,
        Field(
            description='For `nats`: the subject, without wildcards. A stream must store it.'
        ),
    ] = None
    exchange: Annotated[
        str | None,
        Field(
            description='For `rabbitmq`: an exchange that exists. Leave empty for the default exchange.'
        ),
    ] = None
    routing_key: Annotated[
        str | None,
        Field(
            alias='routingKey',
            description='For `rabbitmq`: the routing key. With the default exchange, the name of a queue.',
        ),
    ] = None
    events: Annotated[
        list[str],
        Field(
            description='Event types, `*` for all of them, or a prefix such as `payment.*`.'
        ),
    ]
    description: Annotated[
        str, Field(description='A note to yourself about what the endpoint is for.')
    ]
    active: Annotated[
        bool,
        Field(
            description='Whether events are sent. While this is false, the server holds them.'
        ),
    ]
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the webhook was created.')
    ]
    last_delivery_at: Annotated[
        str | None,
        Field(
            alias='lastDeliveryAt',
            description='When the last attempt ended. Null before the first one.',
        ),
    ]
    last_delivery_status: Annotated[
        DeliveryStatus | None,
        Field(
            alias='lastDeliveryStatus',
            description='The result of the last attempt. Null before the first one.',
        ),
    ]
    disabled_reason: Annotated[
        str | None,
        Field(
            alias='disabledReason',
            description="Why the server turned the webhook off. Null if it hasn't.",
        ),
    ]


class WebhookEvent(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str,
        Field(
            description="The event's ID, the same for every endpoint and every attempt."
        ),
    ]
    type: Annotated[str, Field(description='What happened, such as `dpu.sealed`.')]
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the event occurred.')
    ]
    body: Annotated[
        str | None,
        Field(
            description='The exact body that an attempt sends. Null once the body is no longer stored.'
        ),
    ]


class WebhookEvents(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    events: Annotated[
        list[WebhookEvent], Field(description='The events, oldest first.')
    ]
    next: Annotated[
        str | None,
        Field(
            description='The value to send as `after` to read on. Null if there is no further event now.'
        ),
    ]


class WebhookPatch(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    type: DestinationType | None = None
    url: Annotated[
        str | None,
        Field(
            description='The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response.'
        ),
    ] = None
    subject: Annotated[
        str | None,
        Field(
            description='For `nats`: the subject, without wildcards. A stream must store it.'
        ),
    ] = None
    exchange: Annotated[
        str | None,
        Field(
            description='For `rabbitmq`: an exchange that exists. Leave empty for the default exchange.'
        ),
    ] = None
    routing_key: Annotated[
        str | None,
        Field(
            alias='routingKey',
            description='For `rabbitmq`: the routing key. With the default exchange, the name of a queue.',
        ),
    ] = None
    events: Annotated[
        list[str] | None,
        Field(
            description='Event types, `*` for all of them, or a prefix such as `payment.*`.'
        ),
    ] = None
    description: Annotated[
        str | None,
        Field(description='A note to yourself about what the endpoint is for.'),
    ] = None
    active: Annotated[bool | None, Field(description='Whether events are sent.')] = None


class Withdrawal(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    reason: Annotated[
        str | None, Field(description="Why you're withdrawing the decision.")
    ] = None


class WithdrawnDecision(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    event_id: Annotated[
        str, Field(alias='eventId', description="The decision event's ID.")
    ]
    decision_id: Annotated[
        str,
        Field(
            alias='decisionId',
            description="The decision's own ID, as returned when it was recorded.",
        ),
    ]
    withdrawn_at: Annotated[
        str, Field(alias='withdrawnAt', description='When the decision was withdrawn.')
    ]
    sealed_hash: Annotated[
        str,
        Field(
            alias='sealedHash',
            description="The hash of the refusal's chain entry: `sha256:` followed by 64 hex digits.",
        ),
    ]


class Witness(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    name: Annotated[
        str, Field(description="The witness's name, as in its cosignatures.")
    ]
    vkey: Annotated[
        str, Field(description='A verifier key as in c2sp.org/signed-note.')
    ]
    url: Annotated[
        str | None,
        Field(description="The address of the witness. Null if it isn't public."),
    ]


class ActionBinding(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    schema_version: Annotated[
        Literal['1.0'] | str, Field(description='The version of the format.')
    ]
    operation: Annotated[
        str,
        Field(
            description="What the agent wants to do. It becomes the decision's action type, which policies match."
        ),
    ]
    agent_id: Annotated[
        str,
        Field(
            description="The ID of the agent that wants to act. If your API key is bound to an actor, this must be that actor's ID."
        ),
    ]
    subject_id: Annotated[
        str | None,
        Field(description='Whom the agent acts for; null if nobody is named.'),
    ]
    target: ActionTarget
    parameters: Annotated[
        JsonObject,
        Field(
            description='The exact parameters of the call. Approvers see all of them.'
        ),
    ]


class ActionTemplate(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    type: Annotated[
        str,
        Field(
            description='The action type, spelled as it was sent when this version was created.'
        ),
    ]
    version: Annotated[
        int,
        Field(
            description="The version number, starting at 1. Version 0 is the vertical's starting template, which applies if the center has no template of its own."
        ),
    ]
    digest: Annotated[
        str,
        Field(
            description='`sha256:` followed by the SHA-256 of the canonical form of `{type, name, sentence, labels}`.'
        ),
    ]
    name: ActionTypeName
    sentence: Annotated[
        ActionTypeSentence | None,
        Field(description='The headline of a decision. Null if the template has none.'),
    ]
    labels: ActionTypeLabels


class ApiKeyActor(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The actor's ID in your own system.")]
    type: EventActorType


class ApprovalIdentity(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    level: IdentityLevel
    by: Annotated[
        str,
        Field(
            description='The API key or member that vouches for the approver. Empty if it has been redacted.'
        ),
    ]


class Approver(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str,
        Field(
            description="The approver's ID in your own system, or their actor ID if they're a member of the center."
        ),
    ]
    type: ApproverType
    name: Annotated[
        str | None,
        Field(description="The approver's name, as it should appear in the record."),
    ] = None


class ApproverIdentity(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    level: IdentityLevel
    by: Annotated[
        str | None,
        Field(description='The API key or member that vouches for the approver.'),
    ] = None


class CallingKey(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The API key's ID.")]
    scopes: Annotated[list[ApiKeyScope], Field(description='What the key can do.')]
    actor: Annotated[
        ApiKeyActor | None,
        Field(
            description="The only actor that the key can record decisions as. Null if the key isn't bound to an actor."
        ),
    ]
    center_id: Annotated[
        int, Field(alias='centerId', description='The center that the key belongs to.')
    ]
    is_sandbox: Annotated[
        bool, Field(alias='isSandbox', description='Whether the center is a sandbox.')
    ]


class ChainEntry(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    index: Annotated[
        int, Field(description="The entry's index in the chain, counted from 0.")
    ]
    id: Annotated[
        str, Field(description='The ID of the record that the entry is about.')
    ]
    hash: Annotated[
        str,
        Field(
            description='The hash of this entry: `sha256:` followed by 64 hex digits.'
        ),
    ]
    previous_hash: Annotated[
        str | None,
        Field(
            alias='previousHash',
            description='The hash of the previous entry. Null for the first entry.',
        ),
    ]
    sealed_at: Annotated[
        str, Field(alias='sealedAt', description='When the entry was sealed.')
    ]
    content: Annotated[JsonObject, Field(description='The object that was hashed.')]
    values: Annotated[
        JsonObject | None,
        Field(
            description='With `values=true`: the values behind the commitments, by path.'
        ),
    ] = None
    salts: Annotated[
        JsonObject | None,
        Field(description='With `values=true`: the salts of the values, by path.'),
    ] = None


class CheckedChange(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    by: RuleChanger
    approvals: Annotated[
        int,
        Field(
            description='How many people must approve such a change. 0 if the center has nobody to ask.'
        ),
    ]
    people: Annotated[
        list[LinePerson],
        Field(
            description='Up to ten ACTIVE members who could approve such a change if you requested it.'
        ),
    ]
    people_count: Annotated[
        int,
        Field(
            alias='peopleCount',
            description='How many ACTIVE members could approve it. Accounts of one person count once.',
        ),
    ]
    alone_after_wait: Annotated[
        bool,
        Field(
            alias='aloneAfterWait',
            description='Whether you could give the missing approvals yourself once the change has waited for `RULES_WAIT_SECONDS`, because too few other members could, counting everyone who could in the last 30 days.',
        ),
    ]


class CheckedEmergency(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    confirm_within_seconds: Annotated[
        int,
        Field(
            alias='confirmWithinSeconds',
            description='How many seconds the line would have to confirm it.',
        ),
    ]
    people: Annotated[
        list[LinePerson],
        Field(
            description='Up to ten ACTIVE members who could approve in an emergency.'
        ),
    ]
    people_count: Annotated[
        int,
        Field(
            alias='peopleCount',
            description='How many ACTIVE members could approve in an emergency. Accounts of one person count once.',
        ),
    ]
    confirmers: Annotated[
        list[LinePerson],
        Field(
            description='Up to ten ACTIVE members who could confirm it, if somebody else used it.'
        ),
    ]
    confirmer_count: Annotated[
        int,
        Field(
            alias='confirmerCount',
            description='How many ACTIVE members could confirm it. Accounts of one person count once.',
        ),
    ]
    problem: Annotated[
        str | None,
        Field(
            description='Who could use it without enough other people to confirm it, or why nobody could use it. Null if whoever uses it can be confirmed.'
        ),
    ]


class CheckedStep(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    title: Annotated[
        str | None,
        Field(description="The step's title. Null if the policy gives it none."),
    ]
    count: Annotated[
        int, Field(description='How many different people must approve at this step.')
    ]
    identity: RequiredIdentity
    people: Annotated[
        list[LinePerson],
        Field(
            description='Up to ten ACTIVE members who could approve at this step, now or after an escalation. If it requires a passkey, only members with one that is confirmed in this center.'
        ),
    ]
    people_count: Annotated[
        int,
        Field(
            alias='peopleCount',
            description='How many ACTIVE members could approve at this step. Accounts of one person count once.',
        ),
    ]


class Consumption(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    event_id: Annotated[
        str, Field(alias='eventId', description="The decision event's ID.")
    ]
    action_digest: Annotated[
        str,
        Field(
            alias='actionDigest', description='The digest of the action you may run.'
        ),
    ]
    executor: Annotated[
        str,
        Field(
            description='Identifies one attempt to run the action. Choose a new value for each attempt, and keep it only in memory.'
        ),
    ]
    consumed_at: Annotated[
        str, Field(alias='consumedAt', description='When the decision was consumed.')
    ]
    replayed: Annotated[
        bool,
        Field(description='Whether this executor had already consumed the decision.'),
    ]
    chain_hash: Annotated[
        str,
        Field(
            alias='chainHash',
            description='The hash of the chain entry that records the consumption.',
        ),
    ]
    receipt: Annotated[
        Receipt | None,
        Field(
            description="The receipt for the chain entry. Null if it couldn't be issued yet."
        ),
    ]


class DecisionConfirmation(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    result: ConfirmationResult
    by: Annotated[
        str,
        Field(
            description='The actor ID of the member who confirmed or objected. Empty if it was redacted.'
        ),
    ]
    name: Annotated[
        str | None,
        Field(
            description="The member's current name. Null when you retrieve the decision with an API key."
        ),
    ]
    on_behalf_of: Annotated[
        str | None,
        Field(
            alias='onBehalfOf',
            description='The member on whose behalf a deputy confirmed.',
        ),
    ] = None
    reason: Annotated[
        str | None,
        Field(description='The comment that came with it. Absent after a redaction.'),
    ] = None
    level: RequiredIdentity
    at: Annotated[str, Field(description='When it was sealed.')]


class DecisionDpu(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The DPU's ID.")]
    status: EvidenceStatus
    chain_hash: Annotated[
        str | None,
        Field(
            alias='chainHash',
            description='The hash of the chain entry. Null until the decision is sealed.',
        ),
    ]


class DecisionEmergency(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    approvals: Annotated[
        list[int],
        Field(
            description='The emergency approvals, as their positions in `approvals`. Each has its `reason`.'
        ),
    ]
    confirm_by: Annotated[
        str,
        Field(
            alias='confirmBy',
            description='The last time at which the line can confirm it.',
        ),
    ]
    state: EmergencyState
    confirmations: Annotated[
        list[DecisionConfirmation],
        Field(description='The confirmations and objections, oldest first.'),
    ]
    closed_by: Annotated[
        str | None,
        Field(
            alias='closedBy',
            description='Who closed the matter after an objection, or if nobody confirmed. Null if nobody did.',
        ),
    ]
    closed_at: Annotated[
        str | None,
        Field(
            alias='closedAt',
            description='When the matter was closed. Null if it was not.',
        ),
    ]
    close_reason: Annotated[
        str | None,
        Field(
            alias='closeReason',
            description='Why the matter was closed. Null if it was not.',
        ),
    ]
    may_confirm: Annotated[
        bool, Field(alias='mayConfirm', description='Whether you can confirm now.')
    ]
    may_object: Annotated[
        bool, Field(alias='mayObject', description='Whether you can object now.')
    ]
    may_close: Annotated[
        bool,
        Field(alias='mayClose', description='Whether you can close the matter now.'),
    ]


class DecisionEventSummary(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The decision event's ID.")]
    decision_id: Annotated[
        str,
        Field(
            alias='decisionId',
            description="The request's `idempotencyKey` or `Idempotency-Key`, or a new `dec_` ID if neither was sent.",
        ),
    ]
    type: DecisionEventType
    status: DecisionEventStatus
    actor: ShownEventActor
    tags: Annotated[
        list[str], Field(description='The tags that were sent with the decision.')
    ]
    created_at: Annotated[
        str,
        Field(alias='createdAt', description='When the server recorded the decision.'),
    ]
    updated_at: Annotated[
        str, Field(alias='updatedAt', description='When the decision last changed.')
    ]
    action: ActionSummary
    opened: Annotated[
        bool | None,
        Field(
            description='For signed-in members: whether you have opened the decision since its content last changed.'
        ),
    ] = None


class DecisionExecution(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    executor: Annotated[
        str,
        Field(
            description='Identifies one attempt to run the action. Choose a new value for each attempt, and keep it only in memory.'
        ),
    ]
    consumed_at: Annotated[
        str, Field(alias='consumedAt', description='When the decision was consumed.')
    ]
    outcome: ExecutionReport | None


class DecisionProof(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    field_context: Annotated[
        str, Field(alias='@context', description='The URL of the JSON-LD context.')
    ]
    field_type: Annotated[
        Literal['DecisionProof'] | str,
        Field(alias='@type', description="The document's JSON-LD type."),
    ]
    version: Annotated[
        Literal['2.0'] | str, Field(description='The version of the export format.')
    ]
    exported_at: Annotated[
        str, Field(alias='exportedAt', description='When the file was created.')
    ]
    evidence: Annotated[
        JsonObject,
        Field(
            description='The sealed record with its commitments and disclosed values.'
        ),
    ]
    verification: Annotated[
        JsonObject,
        Field(
            description='What a verifier needs: the chain entry, the inclusion proof, the checkpoint and the keys.'
        ),
    ]
    policy_texts: Annotated[
        list[str] | None,
        Field(
            alias='policyTexts',
            description='The texts of the policies that the seal names, if you asked for them. A verifier compares each with the digest in the seal and checks that the approvals fit the approval lines.',
        ),
    ] = None


class DecisionTurn(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    now: Annotated[
        bool,
        Field(
            description='Whether a line asks you now, or a member whose deputy you are.'
        ),
    ]
    next: Annotated[
        DecisionTurnAhead | None,
        Field(
            description="The first later step that asks you. Null if it's your turn now, and if no later step asks you."
        ),
    ]


class Delivery(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    event_id: Annotated[
        str,
        Field(
            alias='eventId',
            description="The event's ID, the same for every endpoint and every attempt.",
        ),
    ]
    event_type: Annotated[
        str,
        Field(alias='eventType', description='What happened, such as `dpu.sealed`.'),
    ]
    delivered_at: Annotated[
        str, Field(alias='deliveredAt', description='When the last attempt ended.')
    ]
    status: DeliveryStatus
    response_status: Annotated[
        int | None,
        Field(
            alias='responseStatus',
            description='The HTTP status that your endpoint returned. Null if it sent no response; always null for brokers.',
        ),
    ]
    attempts: Annotated[int, Field(description='How many attempts were made.')]
    next_retry_at: Annotated[
        str | None,
        Field(
            alias='nextRetryAt',
            description='When the next attempt is due. Null if none is scheduled.',
        ),
    ]


class DeliveryAttempt(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    attempt: Annotated[int, Field(description="The attempt's number, counted from 1.")]
    at: Annotated[str, Field(description='When the attempt ended.')]
    ms: Annotated[int, Field(description='How long the attempt took, in milliseconds.')]
    status: DeliveryStatus
    response_status: Annotated[
        int | None,
        Field(
            alias='responseStatus',
            description='The HTTP status that your endpoint returned. Null if it sent no response; always null for brokers.',
        ),
    ]
    response_body: Annotated[
        str,
        Field(
            alias='responseBody',
            description='The first 1,024 bytes of the response; for JetStream, the acknowledgment.',
        ),
    ]
    error: Annotated[
        str | None,
        Field(
            description="What went wrong: the reason why there was no response, or the fact that the response wasn't 2xx. Null after a success."
        ),
    ]
    message: Annotated[
        str | None, Field(description='The error in a sentence. Null after a success.')
    ]


class DpuState(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The DPU's ID.")]
    status: EvidenceStatus
    evidence_level: Annotated[EvidenceLevel, Field(alias='evidenceLevel')]
    chain_hash: Annotated[
        str | None,
        Field(
            alias='chainHash',
            description='The hash of the chain entry. Null until the DPU is sealed.',
        ),
    ]
    chain_index: Annotated[
        int | None,
        Field(
            alias='chainIndex',
            description="The entry's index in the chain. Null until the DPU is sealed.",
        ),
    ]
    domain: ChainDomain
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the DPU was created.')
    ]
    sealed_at: Annotated[
        str | None,
        Field(
            alias='sealedAt', description='When the DPU was sealed. Null until then.'
        ),
    ]


class EmergencyRight(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    policies: Annotated[
        list[str],
        Field(
            description='The policies whose lines your emergency approval would fill.'
        ),
    ]
    confirm_within_seconds: Annotated[
        int,
        Field(
            alias='confirmWithinSeconds',
            description='How many seconds the lines would have to confirm it, counted from the seal.',
        ),
    ]
    identity: RequiredIdentity
    seals: Annotated[
        bool,
        Field(
            description='Whether your emergency approval would complete the decision.'
        ),
    ]
    blocked: Annotated[
        str | None,
        Field(
            description="Your earlier emergency approval that was objected to or not confirmed in time. Until it's closed, you can't give another one. Null if there is none."
        ),
    ]


class EventAction(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    type: Annotated[
        str,
        Field(
            description="The kind of action, under a name that you choose. Policies match this name, and the action type's template shows approvers a readable one."
        ),
    ]
    description: Annotated[
        str | None,
        Field(
            description="What the action does, in the requester's words. If the center has a template for the action type, approvers see the template's headline instead."
        ),
    ] = None
    input: Annotated[
        JsonObject | None,
        Field(
            description="The action's arguments, as a JSON object. Policy conditions read values from it."
        ),
    ] = None
    output: Annotated[
        JsonObject | None,
        Field(description="The action's actual or proposed result, as a JSON object."),
    ] = None


class EventActor(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str,
        Field(
            description="The actor's ID in your own system. Policies, API keys and list filters refer to this ID, so keep it stable."
        ),
    ]
    type: EventActorType
    name: Annotated[str | None, Field(description='The name that approvers see.')] = (
        None
    )


class EventTypeDescription(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    type: Annotated[str, Field(description='The name to subscribe to.')]
    description: Annotated[str, Field(description='When the event is sent.')]
    schema_: Annotated[JsonSchema, Field(alias='schema')]
    example: Annotated[JsonObject, Field(description='An example of `data`.')]


class EvidenceState(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str,
        Field(
            description="The ID of the decision's evidence. Public verification accepts this ID too."
        ),
    ]
    status: EvidenceStatus
    chain_hash: Annotated[
        str | None,
        Field(
            alias='chainHash',
            description='The hash of the chain entry: `sha256:` followed by 64 hex digits. Null until the decision is sealed.',
        ),
    ]
    chain_index: Annotated[
        int | None,
        Field(
            alias='chainIndex',
            description="The entry's index in the chain, counted from 0. Null until the decision is sealed.",
        ),
    ]


class ExpectedStep(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    title: Annotated[str | None, Field(description="The step's title.")] = None
    count: Annotated[
        int | None,
        Field(description='How many different people must approve at this step.'),
    ] = None
    identity: RequiredIdentity | None = None


class FiledPolicyStep(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    title: Annotated[
        str | None, Field(description='What the box of seals calls this step.')
    ] = None
    roles: Annotated[
        list[ApproverRole] | None,
        Field(description='Members with any of these roles may approve.'),
    ] = None
    actor_ids: Annotated[
        list[str] | None,
        Field(alias='actorIds', description='Members who may approve, by actor ID.'),
    ] = None
    group_ids: Annotated[
        list[str] | None,
        Field(
            alias='groupIds',
            description="The center's groups whose members are meant, by name or ID.",
        ),
    ] = None
    count: Annotated[
        int | None,
        Field(
            description='How many different people must approve at this step. 1 by default.'
        ),
    ] = None
    identity: RequiredIdentity | None = None
    escalate_to: Annotated[PolicyEscalation | None, Field(alias='escalateTo')] = None
    delegated: Annotated[
        bool | None,
        Field(
            description='Whether the box of seals marks this step as deciding with delegated authority (전결). It changes nothing about who may approve.'
        ),
    ] = None


class FollowedSubscription(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    status: SubscriptionStatus


class GivenApproval(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    approval_id: Annotated[
        str,
        Field(alias='approvalId', description='The ID of this approval or refusal.'),
    ]
    approver: GivenApprover
    result: ApprovalResult
    reason: Annotated[
        str | None, Field(description='The comment that came with the approval.')
    ] = None
    identity: ApprovalIdentity
    channel: ApprovalChannel | None = None
    opened_at: Annotated[
        str | None,
        Field(
            alias='openedAt', description='When the approver first opened the decision.'
        ),
    ] = None
    decided_at: Annotated[
        str | None, Field(alias='decidedAt', description='When the approver decided.')
    ] = None
    on_behalf_of: Annotated[
        str | None,
        Field(
            alias='onBehalfOf',
            description='The member on whose behalf a deputy approved.',
        ),
    ] = None
    taken_back_at: Annotated[
        str | None,
        Field(
            alias='takenBackAt',
            description="When the approver took the approval back. Absent if they didn't.",
        ),
    ] = None
    void: Annotated[
        str | None,
        Field(
            description="Why the approval didn't count when the decision was sealed. Absent if it did."
        ),
    ] = None
    emergency: Annotated[
        Literal[True] | None,
        Field(description='Present if the approval was given in an emergency (후결).'),
    ] = None
    on_behalf_of_name: Annotated[
        str | None,
        Field(
            alias='onBehalfOfName',
            description='The current name of the member on whose behalf a deputy approved. Only members see this name.',
        ),
    ] = None
    created_at: Annotated[
        str,
        Field(alias='createdAt', description='When the server received the approval.'),
    ]


class Home(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    name: Annotated[
        Literal['Countersign'] | str, Field(description='The name of the product.')
    ]
    summary: Annotated[str, Field(description='What this server is, in a sentence.')]
    links: HomeLinks


class LineStep(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    title: Annotated[
        str | None,
        Field(description="The step's title. Null if the policy gives it none."),
    ]
    delegated: Annotated[
        bool,
        Field(description='Whether the step decides with delegated authority (전결).'),
    ]
    identity: RequiredIdentity
    current: Annotated[
        bool,
        Field(description='Whether this is the step that the line is waiting for.'),
    ]
    places: Annotated[
        list[LinePlace], Field(description="The step's places, filled ones first.")
    ]
    struck: Annotated[
        list[int],
        Field(
            description='Approvals that filled a place of this step when they were given and that no longer count, as their positions in `approvals`.'
        ),
    ]
    people: Annotated[
        list[LinePerson],
        Field(
            description='For a step that is still open, up to ten members who could fill a place in it. Empty once the step is full, and when you retrieve the decision with an API key.'
        ),
    ]
    people_count: Annotated[
        int,
        Field(
            alias='peopleCount',
            description='How many members could fill a place in this step. 0 once the step is full, and when you retrieve the decision with an API key.',
        ),
    ]


class LogDocument(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    log_host: Annotated[
        str,
        Field(alias='logHost', description='The host that all log names start with.'),
    ]
    origin_template: Annotated[
        str,
        Field(
            alias='originTemplate',
            description='The name of a log, with `{centerId}` and `{domain}` to fill in.',
        ),
    ]
    sandbox_origin_template: Annotated[
        str,
        Field(
            alias='sandboxOriginTemplate',
            description="The name of a sandbox's log, which holds test data.",
        ),
    ]
    domains: Annotated[
        list[ChainDomain],
        Field(description='The domains that each center has a log for.'),
    ]
    keys: Annotated[
        list[LogKey],
        Field(
            description="The keys, newest first. One key signs for all of this host's logs, each under its own name."
        ),
    ]
    witnesses: Annotated[
        list[Witness], Field(description='The witnesses that cosign checkpoints.')
    ]
    quorum: Annotated[
        str,
        Field(
            description='How many witnesses must cosign, in the syntax of a trust policy.'
        ),
    ]
    policy: Annotated[
        str,
        Field(
            description='The log document as a trust policy file for a verifier (c2sp.org/tlog-policy).'
        ),
    ]


class LogGeneration(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    generation: Annotated[
        int,
        Field(
            description="The log's generation in this chain: 2 after the first declared loss."
        ),
    ]
    log: Annotated[
        str,
        Field(
            description="The log's name, which consists of the host, the center and the chain's domain."
        ),
    ]
    predecessor: Annotated[ClosedLog, Field(description='The log that was closed.')]
    declaration: LogSuccession


class LogGenerations(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    log: Annotated[
        str,
        Field(
            description="The log's name, which consists of the host, the center and the chain's domain."
        ),
    ]
    generations: Annotated[
        list[LogGeneration],
        Field(description='The generations after the first one, oldest first.'),
    ]


class NewAgentDecision(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    agent: Agent
    action: Annotated[
        EventAction, Field(description='What was decided, or what is to be done.')
    ]
    ai_context: Annotated[AiContext | None, Field(alias='aiContext')] = None
    risk_score: Annotated[
        float | None,
        Field(
            alias='riskScore',
            description='Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded.',
        ),
    ] = None
    reason: Annotated[
        str | None,
        Field(
            description="Why the action is needed, in the requester's words. Approvers read it."
        ),
    ] = None
    tags: Annotated[
        list[str] | None,
        Field(
            description='Words to file the decision under. Policies can match tags, and you can filter lists by a tag.'
        ),
    ] = None
    replaces: Annotated[
        str | None,
        Field(
            description='The ID of a decision by the same actor that is still waiting. That decision is refused with the reason `replaced`, and the new decision takes its place.'
        ),
    ] = None


class NewApproval(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    approver: Approver
    result: ApprovalResult
    reason: Annotated[
        str | None,
        Field(
            description='A comment on the decision. The comment is sealed with the decision.'
        ),
    ] = None


class NewApprovalRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    schema_version: Annotated[
        Literal['1.0'] | str, Field(description='The version of the format.')
    ]
    type: Annotated[
        Literal['approval_request'] | str, Field(description='The kind of message.')
    ]
    approval_request_id: Annotated[
        str,
        Field(
            description="The gateway's ID for this request, new for every attempt. It becomes the `decisionId`, and the decision is consumed in its name."
        ),
    ]
    policy_decision_id: Annotated[
        str, Field(description="The ID of the gateway's own policy decision.")
    ]
    action_digest: Annotated[
        str,
        Field(description='The SHA-256 of the canonical form (RFC 8785) of `binding`.'),
    ]
    input_digest: Annotated[
        str,
        Field(
            description='The SHA-256 of the canonical form of all other members but `schema_version`, `type` and `binding`.'
        ),
    ]
    agent_id: Annotated[
        str,
        Field(
            description="The ID of the agent that wants to act. If your API key is bound to an actor, this must be that actor's ID."
        ),
    ]
    subject_id: Annotated[
        str | None,
        Field(description='Whom the agent acts for; null if nobody is named.'),
    ]
    operation: Annotated[
        str,
        Field(
            description="What the agent wants to do. It becomes the decision's action type, which policies match."
        ),
    ]
    target_resource: Annotated[
        str | None,
        Field(description='What the action is about; null if nothing is named.'),
    ]
    policy_version: Annotated[
        str, Field(description="The version of the gateway's policy.")
    ]
    approval_chain_id: Annotated[
        str, Field(description="The ID of the gateway's approval chain.")
    ]
    approval_chain_version: Annotated[
        str, Field(description='The version of that chain.')
    ]
    expires_at: Annotated[
        str,
        Field(
            description='Until when the gateway accepts an answer. Afterwards, nobody can approve the request.'
        ),
    ]
    binding: ActionBinding


class NewDecisionEvent(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    type: DecisionEventType
    actor: Annotated[EventActor, Field(description='Who or what made the decision.')]
    action: Annotated[
        EventAction, Field(description='What was decided, or what is to be done.')
    ]
    ai_context: Annotated[AiContext | None, Field(alias='aiContext')] = None
    risk_score: Annotated[
        float | None,
        Field(
            alias='riskScore',
            description='Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded.',
        ),
    ] = None
    reason: Annotated[
        str | None,
        Field(
            description="Why the action is needed, in the requester's words. Approvers read it."
        ),
    ] = None
    tags: Annotated[
        list[str] | None,
        Field(
            description='Words to file the decision under. Policies can match tags, and you can filter lists by a tag.'
        ),
    ] = None
    replaces: Annotated[
        str | None,
        Field(
            description='The ID of a decision by the same actor that is still waiting. That decision is refused with the reason `replaced`, and the new decision takes its place.'
        ),
    ] = None
    occurred_at: Annotated[
        str | None,
        Field(
            alias='occurredAt',
            description='When the decision was made. Defaults to the time when the request arrives, and can be at most 24 hours in the future.',
        ),
    ] = None
    idempotency_key: Annotated[
        str | None,
        Field(
            alias='idempotencyKey',
            description='A key of your own that makes it safe to repeat the request. It becomes the `decisionId` and must be unique in the center.',
        ),
    ] = None


class NewNamedSandbox(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[int, Field(description="The sandbox's own center ID.")]
    sandbox_of: Annotated[
        int,
        Field(alias='sandboxOf', description='The center that the sandbox belongs to.'),
    ]
    name: Annotated[str, Field(description="The sandbox's name.")]
    domain: Annotated[str, Field(description="The sandbox's subdomain.")]
    first: Annotated[
        bool,
        Field(
            description='Whether `POST /api/centers/{center}/sandbox/reset` means this sandbox.'
        ),
    ]
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the sandbox was created.')
    ]
    refreshed_at: Annotated[
        str,
        Field(
            alias='refreshedAt',
            description="When the center's policies, action types, groups and settings were last copied.",
        ),
    ]
    key: SandboxKey


class PolicyFileChange(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    kind: PolicyFileKind
    change: PolicyFileEffect
    name: Annotated[str, Field(description="The policy's name, or the action type.")]
    id: Annotated[
        str | None,
        Field(
            description="The policy's ID. Null for a new policy and for an action type."
        ),
    ]
    before: Annotated[
        dict[str, Any] | None,
        Field(
            description='The members that differ, as they are. Null for something new.'
        ),
    ]
    after: Annotated[
        dict[str, Any] | None,
        Field(
            description='The members that differ, as they will be. Null for something that ends.'
        ),
    ]


class PolicyImport(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    dry_run: Annotated[
        bool, Field(alias='dryRun', description='Whether nothing was changed.')
    ]
    revision: Annotated[
        str,
        Field(
            description='The state that `changes` was computed from. After an import that took effect, the state since then.'
        ),
    ]
    changes: Annotated[
        list[PolicyFileChange],
        Field(
            description='What changed, or would change. Empty if the file says what is already in force.'
        ),
    ]
    loosens: Annotated[
        list[str],
        Field(
            description='The policies in force that the import would loosen. If there are any, people must approve the import as a whole.'
        ),
    ]
    pending: Annotated[
        PendingDecision | None,
        Field(
            description='The decision that the import waits for. Null if it does not wait for one.'
        ),
    ]
    tests: Annotated[
        list[PolicyTestResult],
        Field(description='The results of the tests in the file.'),
    ]


class PolicyMatch(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    event_types: Annotated[
        list[DecisionEventType] | None,
        Field(
            alias='eventTypes', description='Decisions with any of these event types.'
        ),
    ] = None
    action_types: Annotated[
        list[str] | None,
        Field(
            alias='actionTypes',
            description='Decisions with any of these action types. `*` matches any characters, as in `loan.*`. Case, character width, spaces and invisible characters make no difference. An action type that is longer than 255 characters matches every pattern.',
        ),
    ] = None
    verticals: Annotated[
        list[Vertical] | None, Field(description='Centers in any of these verticals.')
    ] = None
    actor_types: Annotated[
        list[EventActorType] | None,
        Field(
            alias='actorTypes', description='Decisions by any of these kinds of actor.'
        ),
    ] = None
    when: Annotated[
        list[PolicyCondition] | None,
        Field(
            description="Conditions on the decision's values, all of which must be satisfied. Requires `actionTypes` or `eventTypes`."
        ),
    ] = None


class PolicyStep(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    title: Annotated[
        str | None, Field(description='What the box of seals calls this step.')
    ] = None
    roles: Annotated[
        list[ApproverRole] | None,
        Field(description='Members with any of these roles may approve.'),
    ] = None
    actor_ids: Annotated[
        list[str] | None,
        Field(alias='actorIds', description='Members who may approve, by actor ID.'),
    ] = None
    group_ids: Annotated[
        list[str] | None,
        Field(
            alias='groupIds',
            description="The center's groups whose members may approve.",
        ),
    ] = None
    count: Annotated[
        int | None,
        Field(
            description='How many different people must approve at this step. 1 by default.'
        ),
    ] = None
    identity: RequiredIdentity | None = None
    escalate_to: Annotated[PolicyEscalation | None, Field(alias='escalateTo')] = None
    delegated: Annotated[
        bool | None,
        Field(
            description='Whether the box of seals marks this step as deciding with delegated authority (전결). It changes nothing about who may approve.'
        ),
    ] = None


class PublishedEvent(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[
        str,
        Field(
            description="The event's ID, the same for every endpoint and every attempt."
        ),
    ]
    type: AppEventType
    deliveries: Annotated[
        int, Field(description='The number of webhooks that receive the event.')
    ]
    subscription: FollowedSubscription | None = None


class Recovery(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The recovery's ID.")]
    webhook_id: Annotated[
        str,
        Field(
            alias='webhookId', description='The webhook whose events are sent again.'
        ),
    ]
    since: Annotated[str, Field(description='Events since this time are sent again.')]
    status: RecoveryStatus
    total: Annotated[
        int,
        Field(
            description='How many deliveries will be sent again, counted at the start.'
        ),
    ]
    recovered: Annotated[
        int,
        Field(description='The number of deliveries that have been scheduled so far.'),
    ]
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the recovery started.')
    ]
    completed_at: Annotated[
        str | None,
        Field(
            alias='completedAt',
            description='When the last delivery was scheduled. Null while the recovery is running.',
        ),
    ]


class RetriedEvent(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    event_id: Annotated[
        str,
        Field(
            alias='eventId',
            description="The event's ID, the same for every endpoint and every attempt.",
        ),
    ]
    deliveries: Annotated[
        list[ScheduledDelivery],
        Field(
            description='The deliveries that will be sent again, one for each endpoint.'
        ),
    ]


class SealedApproval(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    approver: SealedApprover
    result: ApprovalResult
    reason: Annotated[
        str | None, Field(description='The comment that came with the approval.')
    ] = None
    submitted_by: Annotated[
        str | None,
        Field(
            alias='submittedBy',
            description='The API key or session that sent the approval.',
        ),
    ] = None
    identity: ApproverIdentity
    channel: Annotated[
        str | None,
        Field(description='Where the approval was given: `api`, `page` or `console`.'),
    ] = None
    opened_at: Annotated[
        str | None,
        Field(
            alias='openedAt', description='When the approver first opened the decision.'
        ),
    ] = None
    decided_at: Annotated[
        str | None, Field(alias='decidedAt', description='When the approver decided.')
    ] = None
    on_behalf_of: Annotated[
        str | None,
        Field(
            alias='onBehalfOf',
            description='The member on whose behalf a deputy approved.',
        ),
    ] = None
    approved_at: Annotated[
        str,
        Field(alias='approvedAt', description='When the server accepted the approval.'),
    ]


class SealedEvent(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    type: DecisionEventType
    actor: SealedActor
    action: Annotated[
        EventAction, Field(description='What was decided, or what is to be done.')
    ]
    ai_context: Annotated[AiContext | None, Field(alias='aiContext')] = None
    risk_score: Annotated[
        float | None,
        Field(
            alias='riskScore',
            description='Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded.',
        ),
    ] = None
    reason: Annotated[
        str | None,
        Field(
            description="Why the action is needed, in the requester's words. Approvers read it."
        ),
    ] = None
    tags: Annotated[
        list[str] | None,
        Field(description='The tags that were sealed with the decision.'),
    ] = None
    recorded_by: Annotated[
        str | None,
        Field(
            alias='recordedBy', description='The API key that recorded the decision.'
        ),
    ] = None
    replaces: Annotated[
        str | None, Field(description='The decision event that this one replaces.')
    ] = None
    occurred_at: Annotated[
        str, Field(alias='occurredAt', description='When the decision was made.')
    ]


class TestApproval(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    event_id: Annotated[
        str, Field(alias='eventId', description='The decision. Any of its IDs.')
    ]
    result: ApprovalResult
    level: Annotated[
        TestIdentity,
        Field(
            description="How the test person's identity is established. `session`: as a signed-in member. `passkey`: with a signature too."
        ),
    ]
    reason: Annotated[str | None, Field(description='The reason, which is sealed.')] = (
        None
    )
    person_id: Annotated[
        str | None,
        Field(
            alias='personId',
            description='The test person to approve as, from `GET /api/v1/sandbox/people`.',
        ),
    ] = None


class AgentDecision(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    decision_id: Annotated[
        str,
        Field(
            alias='decisionId',
            description="The request's `Idempotency-Key`, or a new `dec_` ID if no key was sent.",
        ),
    ]
    event_id: Annotated[
        str,
        Field(
            alias='eventId',
            description="The decision event's ID. If an approval is required, use this ID to follow the decision.",
        ),
    ]
    outcome: DecisionOutcome
    policies: Annotated[
        list[AppliedPolicy], Field(description='The policies that applied.')
    ]
    action_digest: Annotated[
        str,
        Field(
            alias='actionDigest',
            description='The action digest: `sha256:` followed by the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent. Absent members are left out.',
        ),
    ]
    action_salt: Annotated[
        str | None,
        Field(
            alias='actionSalt',
            description='The salt that went into `actionDigest`, in base64url. Null if one of the digested values has been redacted.',
        ),
    ]
    dpu: DecisionDpu
    receipt: Annotated[
        Receipt | None,
        Field(
            description='The receipt for the seal. Null until the decision is sealed.'
        ),
    ]
    approval_url: Annotated[
        str | None,
        Field(
            alias='approvalUrl',
            description='The page where a member can approve or refuse. The URL contains no credential. Null unless `outcome` is `approval_required`.',
        ),
    ]
    note: Annotated[
        str | None,
        Field(description='What to do next. Absent if there is nothing to do.'),
    ] = None


class Approval(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    approval_id: Annotated[
        str,
        Field(alias='approvalId', description='The ID of this approval or refusal.'),
    ]
    decision_id: Annotated[
        str,
        Field(
            alias='decisionId',
            description="The decision's own ID, as returned when it was recorded.",
        ),
    ]
    approver: Approver
    result: ApprovalResult
    reason: Annotated[
        str | None, Field(description='The comment that came with the approval.')
    ] = None
    evidence_level: Annotated[EvidenceLevel, Field(alias='evidenceLevel')]
    sealed_hash: Annotated[
        str | None,
        Field(
            alias='sealedHash',
            description='The hash of the chain entry. Null while another approval is still needed.',
        ),
    ]
    sealed_at: Annotated[
        str | None,
        Field(
            alias='sealedAt',
            description='When the decision was sealed. Null while another approval is still needed.',
        ),
    ]
    created_at: Annotated[
        str,
        Field(alias='createdAt', description='When the server received the approval.'),
    ]
    receipt: Annotated[
        Receipt | None,
        Field(
            description='The receipt for the seal. Null while another approval is still needed.'
        ),
    ]


class ApprovalVerdict(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    schema_version: Annotated[
        Literal['1.0'] | str, Field(description='The version of the format.')
    ]
    type: Annotated[
        Literal['approval_response'] | str, Field(description='The kind of message.')
    ]
    approval_request_id: Annotated[
        str,
        Field(
            description="The gateway's ID for this request, new for every attempt. It becomes the `decisionId`, and the decision is consumed in its name."
        ),
    ]
    action_digest: Annotated[
        str, Field(description='The `action_digest` of the request.')
    ]
    event_id: Annotated[str, Field(description="The decision event's ID.")]
    status: Annotated[
        Literal['approved', 'refused', 'expired', 'replaced', 'withdrawn'] | str,
        Field(
            description='How the request ended: `approved` or `refused` by a person or a policy, `expired`, or `withdrawn` or `replaced` by the requester.'
        ),
    ]
    approved: Annotated[
        bool,
        Field(
            description='Whether the gateway may run the action, once. Never rely on it alone: verify `proof`.'
        ),
    ]
    approver: Annotated[
        str | None,
        Field(
            description='Who decided last, by their actor ID; null if the ID has been redacted.'
        ),
    ]
    reason: Annotated[
        str,
        Field(
            description='The reason that came with the decision; empty if none was given.'
        ),
    ]
    usable_until: Annotated[
        str | None,
        Field(
            description='Until when the approval can be used. Null if it was not approved.'
        ),
    ]
    proof: DecisionProof


class CheckedLine(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    policy_id: Annotated[
        str, Field(alias='policyId', description='The policy that the line belongs to.')
    ]
    version: Annotated[int, Field(description="The policy's version.")]
    name: Annotated[str, Field(description="The policy's name.")]
    steps: Annotated[list[CheckedStep], Field(description='The steps, in order.')]
    emergency: CheckedEmergency | None


class DecisionEvent(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The decision event's ID.")]
    decision_id: Annotated[
        str,
        Field(
            alias='decisionId',
            description="The request's `idempotencyKey` or `Idempotency-Key`, or a new `dec_` ID if neither was sent.",
        ),
    ]
    type: DecisionEventType
    status: DecisionEventStatus
    actor: ShownEventActor
    tags: Annotated[
        list[str], Field(description='The tags that were sent with the decision.')
    ]
    created_at: Annotated[
        str,
        Field(alias='createdAt', description='When the server recorded the decision.'),
    ]
    updated_at: Annotated[
        str, Field(alias='updatedAt', description='When the decision last changed.')
    ]
    action: Annotated[
        EventAction, Field(description='What was decided, or what is to be done.')
    ]
    ai_context: Annotated[AiContext | None, Field(alias='aiContext')] = None
    risk_score: Annotated[
        float | None,
        Field(
            alias='riskScore',
            description='Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded.',
        ),
    ] = None
    reason: Annotated[
        str | None,
        Field(
            description="Why the action is needed, in the requester's words. Approvers read it."
        ),
    ] = None
    action_digest: Annotated[
        str,
        Field(
            alias='actionDigest',
            description='The action digest: `sha256:` followed by the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent. Absent members are left out.',
        ),
    ]
    action_salt: Annotated[
        str | None,
        Field(
            alias='actionSalt',
            description='The salt that went into `actionDigest`, in base64url. Null if one of the digested values has been redacted.',
        ),
    ]
    occurred_at: Annotated[
        str,
        Field(
            alias='occurredAt',
            description='When the decision was made, as stated by the caller. Defaults to the time when the request arrived.',
        ),
    ]
    traceparent: Annotated[
        str | None,
        Field(
            description="The `traceparent` header of the request that recorded the decision. It helps you find related logs and isn't sealed."
        ),
    ] = None
    evidence: EvidenceState


class DecisionLine(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    policy_id: Annotated[
        str,
        Field(
            alias='policyId',
            description="The ID of the policy that the line belongs to. `countersign` for the service's own line.",
        ),
    ]
    version: Annotated[int, Field(description="The policy's version.")]
    name: Annotated[
        str | None,
        Field(
            description="The policy's name. Null if the text of this version is no longer available."
        ),
    ]
    full: Annotated[bool, Field(description='Whether every place is filled.')]
    emergency: Annotated[
        int | None,
        Field(
            description='The emergency approval that stands for the open places of this line, as its position in `approvals`. Its places stay open until they are confirmed. Null if there is none.'
        ),
    ]
    steps: Annotated[list[LineStep], Field(description='The steps, in order.')]


class DecisionWaiting(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    since: Annotated[
        str, Field(description='When the decision started waiting for approval.')
    ]
    reasons: Annotated[
        list[ApprovingGuard], Field(description='The guards that require an approval.')
    ]
    policies: Annotated[
        list[AppliedPolicy],
        Field(description='The policies that require an approval, as last evaluated.'),
    ]
    rules: Annotated[
        list[WaitingRule],
        Field(
            description='What an approver needs to know about the policies in `policies`. A policy that has changed since the last evaluation is missing until the decision is evaluated again.'
        ),
    ]
    expires_at: Annotated[
        str | None,
        Field(
            alias='expiresAt',
            description='When the decision expires. From then on, it counts as refused. Null if it never expires.',
        ),
    ]
    approval_url: Annotated[
        str,
        Field(
            alias='approvalUrl',
            description='The URL of the page where a member can approve the decision. The URL contains no credential.',
        ),
    ]
    frozen: Annotated[
        str | None,
        Field(
            description='The stop that covers the decision: it can be refused, but not approved until the stop is lifted. Null if there is none.'
        ),
    ]
    turn: Annotated[
        DecisionTurn | None,
        Field(
            description="Your turn in the approval lines. Absent when you retrieve the decision with an API key, and where this can't be said: no policy asks anymore, or you asked for a change of rules that you may have to approve yourself."
        ),
    ] = None
    emergency: Annotated[
        EmergencyRight | None,
        Field(
            description='Your right to approve in an emergency. Null if you have none, and when you retrieve the decision with an API key.'
        ),
    ]


class Evidence(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description='The evidence ID.')]
    decision_id: Annotated[
        str,
        Field(
            alias='decisionId',
            description="The decision's own ID, as returned when it was recorded.",
        ),
    ]
    status: EvidenceStatus
    evidence_level: Annotated[EvidenceLevel, Field(alias='evidenceLevel')]
    action_digest: Annotated[
        str,
        Field(
            alias='actionDigest',
            description='The action digest: `sha256:` followed by the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent. Absent members are left out.',
        ),
    ]
    action_salt: Annotated[
        str | None,
        Field(
            alias='actionSalt',
            description='The salt that went into `actionDigest`, in base64url. Null if one of the digested values has been redacted.',
        ),
    ]
    event: SealedEvent
    approval: Annotated[
        SealedApproval | None,
        Field(
            description='The approval or refusal that sealed the decision. Null if no approval was needed.'
        ),
    ]
    prior_approvals: Annotated[
        list[JsonObject] | None,
        Field(
            alias='priorApprovals',
            description="Earlier approvals, oldest first. If an approval didn't count, its `void` says why.",
        ),
    ] = None
    control: Annotated[
        JsonObject | None,
        Field(
            description="The policies under which the decision was sealed, what the page said it showed, and the `history` entry that makes the approver's role count. This object names no person and is never redacted."
        ),
    ] = None
    policies: Annotated[
        list[AppliedPolicy] | None,
        Field(description='The policies that applied when the decision was sealed.'),
    ] = None
    chain: ChainPosition
    sealed_at: Annotated[
        str, Field(alias='sealedAt', description='When the decision was sealed.')
    ]
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the decision was recorded.')
    ]
    redacted: Annotated[
        list[str] | None,
        Field(
            description='The paths of the values that have been redacted. Absent if there are none.'
        ),
    ] = None
    receipt: Annotated[
        Receipt | None,
        Field(
            description="The receipt for the seal. Null if it couldn't be issued yet."
        ),
    ]


class ExpectedLine(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    policy: Annotated[
        str | None, Field(description='The name of the policy that asks.')
    ] = None
    steps: Annotated[
        list[ExpectedStep],
        Field(description='The steps, in order. Their number is compared too.'),
    ]


class FiledPolicyApproval(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    identity: RequiredIdentity | None = None
    roles: Annotated[
        list[ApproverRole] | None,
        Field(description='Members with any of these roles may approve.'),
    ] = None
    actor_ids: Annotated[
        list[str] | None,
        Field(alias='actorIds', description='Members who may approve, by actor ID.'),
    ] = None
    steps: Annotated[
        list[FiledPolicyStep] | None,
        Field(
            description="The approval line: who approves, one step after another. A person fills one place of a line. A line has at most 9 places. Can't be combined with `roles`, `actorIds`, `escalateTo` or the `dualApproval` guard."
        ),
    ] = None
    inform: FiledPolicyInform | None = None
    expires_after_seconds: Annotated[
        int | None,
        Field(
            alias='expiresAfterSeconds',
            description='How many seconds a decision may wait before it is refused.',
        ),
    ] = None
    usable_for_seconds: Annotated[
        int | None,
        Field(
            alias='usableForSeconds',
            description='How many seconds after the approval the decision can be consumed. If a policy requires an approval and leaves this out, it counts as 604,800 (seven days).',
        ),
    ] = None
    escalate_to: Annotated[PolicyEscalation | None, Field(alias='escalateTo')] = None
    emergency: FiledPolicyEmergency | None = None


class ListedWebhook(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The webhook's ID.")]
    type: DestinationType
    url: Annotated[
        str,
        Field(
            description='The URL to send events to, with `https://`, `tls://` for NATS or `amqps://` for RabbitMQ. Addresses in private networks are refused. A user name and password are for brokers only, and are never shown in a response.'
        ),
    ]
    subject: Annotated[
        str | None,
        Field(
            description='For `nats`: the subject, without wildcards. A stream must store it.'
        ),
    ] = None
    exchange: Annotated[
        str | None,
        Field(
            description='For `rabbitmq`: an exchange that exists. Leave empty for the default exchange.'
        ),
    ] = None
    routing_key: Annotated[
        str | None,
        Field(
            alias='routingKey',
            description='For `rabbitmq`: the routing key. With the default exchange, the name of a queue.',
        ),
    ] = None
    events: Annotated[
        list[str],
        Field(
            description='Event types, `*` for all of them, or a prefix such as `payment.*`.'
        ),
    ]
    description: Annotated[
        str, Field(description='A note to yourself about what the endpoint is for.')
    ]
    active: Annotated[
        bool,
        Field(
            description='Whether events are sent. While this is false, the server holds them.'
        ),
    ]
    created_at: Annotated[
        str, Field(alias='createdAt', description='When the webhook was created.')
    ]
    last_delivery_at: Annotated[
        str | None,
        Field(
            alias='lastDeliveryAt',
            description='When the last attempt ended. Null before the first one.',
        ),
    ]
    last_delivery_status: Annotated[
        DeliveryStatus | None,
        Field(
            alias='lastDeliveryStatus',
            description='The result of the last attempt. Null before the first one.',
        ),
    ]
    disabled_reason: Annotated[
        str | None,
        Field(
            alias='disabledReason',
            description="Why the server turned the webhook off. Null if it hasn't.",
        ),
    ]
    recent: RecentDeliveries
    secrets: Annotated[
        list[SecretAge],
        Field(
            description='The signing secrets that are valid now, without their values.'
        ),
    ]
    recovery: Annotated[
        Recovery | None, Field(description='The last recovery. Null if there was none.')
    ]


class PolicyApproval(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    identity: RequiredIdentity | None = None
    roles: Annotated[
        list[ApproverRole] | None,
        Field(description='Members with any of these roles may approve.'),
    ] = None
    actor_ids: Annotated[
        list[str] | None,
        Field(alias='actorIds', description='Members who may approve, by actor ID.'),
    ] = None
    steps: Annotated[
        list[PolicyStep] | None,
        Field(
            description="The approval line: who approves, one step after another. A person fills one place of a line. A line has at most 9 places. Can't be combined with `roles`, `actorIds`, `escalateTo` or the `dualApproval` guard."
        ),
    ] = None
    inform: PolicyInform | None = None
    expires_after_seconds: Annotated[
        int | None,
        Field(
            alias='expiresAfterSeconds',
            description='How many seconds a decision may wait before it is refused.',
        ),
    ] = None
    usable_for_seconds: Annotated[
        int | None,
        Field(
            alias='usableForSeconds',
            description='How many seconds after the approval the decision can be consumed. If a policy requires an approval and leaves this out, it counts as 604,800 (seven days).',
        ),
    ] = None
    escalate_to: Annotated[PolicyEscalation | None, Field(alias='escalateTo')] = None
    emergency: PolicyEmergency | None = None


class PolicyExpectation(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    outcome: CheckOutcome | None = None
    policies: Annotated[
        list[str] | None,
        Field(description='The names of all policies that match, in any order.'),
    ] = None
    approvals: Annotated[
        int | None,
        Field(description='How many people must approve at least; 0 for none.'),
    ] = None
    identity: RequiredIdentity | None = None
    lines: Annotated[
        list[ExpectedLine] | None,
        Field(description='The approval lines, in any order.'),
    ] = None


class PolicyTest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    name: Annotated[str, Field(description='What the test shows.')]
    decision: Annotated[
        NewAgentDecision,
        Field(description='The decision, as for `POST /api/v1/agents/decide`.'),
    ]
    expect: PolicyExpectation


class CheckedApproval(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    identity: RequiredIdentity
    approvals: Annotated[
        int,
        Field(
            description='How many people must approve at least: the number of places in the longest line.'
        ),
    ]
    roles: Annotated[
        list[ApproverRole] | None,
        Field(
            description='The roles that may approve at some step. Null if no step admits members by their role.'
        ),
    ]
    actor_ids: Annotated[
        list[str],
        Field(
            alias='actorIds',
            description='The ACTIVE members who may approve at some step, now or after an escalation.',
        ),
    ]
    expires_after_seconds: Annotated[
        int | None,
        Field(
            alias='expiresAfterSeconds',
            description='How many seconds the decision could wait before it expires. Null if it would never expire.',
        ),
    ]
    usable_for_seconds: Annotated[
        int,
        Field(
            alias='usableForSeconds',
            description='How many seconds after the approval the decision could be consumed.',
        ),
    ]
    lines: Annotated[
        list[CheckedLine],
        Field(
            description='The approval lines, one per policy that requires an approval.'
        ),
    ]
    problem: Annotated[
        str | None,
        Field(
            description='Why nobody can approve, or too few people can, one for each place of a line. Null if enough people can.'
        ),
    ]


class CheckedPolicy(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The policy's ID.")]
    version: Annotated[int, Field(description='The version in force.')]
    digest: Annotated[str, Field(description="The policy version's digest.")]
    name: Annotated[str, Field(description="The policy's name.")]
    asks: Annotated[
        list[ApprovingGuard],
        Field(description="This policy's guards that require an approval."),
    ]
    approval: Annotated[
        PolicyApproval | None,
        Field(
            description="Who may approve under this policy. Null if the policy doesn't name approvers."
        ),
    ]
    change: CheckedChange


class Decision(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    id: Annotated[str, Field(description="The decision event's ID.")]
    decision_id: Annotated[
        str,
        Field(
            alias='decisionId',
            description="The request's `idempotencyKey` or `Idempotency-Key`, or a new `dec_` ID if neither was sent.",
        ),
    ]
    type: DecisionEventType
    status: DecisionEventStatus
    actor: ShownEventActor
    tags: Annotated[
        list[str], Field(description='The tags that were sent with the decision.')
    ]
    created_at: Annotated[
        str,
        Field(alias='createdAt', description='When the server recorded the decision.'),
    ]
    updated_at: Annotated[
        str, Field(alias='updatedAt', description='When the decision last changed.')
    ]
    action: Annotated[
        EventAction, Field(description='What was decided, or what is to be done.')
    ]
    ai_context: Annotated[AiContext | None, Field(alias='aiContext')] = None
    risk_score: Annotated[
        float | None,
        Field(
            alias='riskScore',
            description="The requester's estimate of the risk, from 0 to 1. Null if none was sent.",
        ),
    ]
    reason: Annotated[
        str | None,
        Field(
            description="Why the action is needed, in the requester's words. Null if nothing was sent."
        ),
    ]
    action_digest: Annotated[
        str,
        Field(
            alias='actionDigest',
            description='The action digest: `sha256:` followed by the SHA-256 of the canonical form of `{salt, type, actor, action, aiContext, riskScore, reason}` as they were sent. Absent members are left out.',
        ),
    ]
    action_salt: Annotated[
        str | None,
        Field(
            alias='actionSalt',
            description='The salt that went into `actionDigest`, in base64url. Null if one of the digested values has been redacted.',
        ),
    ]
    occurred_at: Annotated[
        str,
        Field(
            alias='occurredAt',
            description='When the decision was made, as stated by the caller. Defaults to the time when the request arrived.',
        ),
    ]
    traceparent: Annotated[
        str | None,
        Field(
            description="The `traceparent` header of the request that recorded the decision. It helps you find related logs and isn't sealed."
        ),
    ] = None
    evidence: EvidenceState
    recorded_by: Annotated[
        str | None,
        Field(
            alias='recordedBy',
            description='The API key that recorded the decision. Null if a member or the service did.',
        ),
    ]
    replaces: Annotated[
        str | None,
        Field(
            description='The decision that this one replaces. Null if it replaces none.'
        ),
    ]
    waiting: Annotated[
        DecisionWaiting | None,
        Field(
            description="What the decision is waiting for. Null if it isn't waiting."
        ),
    ]
    approvals: Annotated[
        list[GivenApproval],
        Field(
            description='The approvals and refusals so far, in the order they were given.'
        ),
    ]
    lines: Annotated[
        list[DecisionLine],
        Field(
            description='The approval lines, one for each policy that requires an approval. Empty if none does, and for decisions that were sealed before lines were recorded.'
        ),
    ]
    emergency: Annotated[
        DecisionEmergency | None,
        Field(
            description='How the emergency approval stands that sealed the decision. Null if there is none, and while the decision waits.'
        ),
    ]
    prior: Annotated[
        str,
        Field(
            description='The digest of the approvals so far. Send it with your own approval.'
        ),
    ]
    usable_until: Annotated[
        str | None,
        Field(
            alias='usableUntil',
            description="The last time at which the decision can be consumed. Null if it isn't approved, or if no policy required an approval.",
        ),
    ]
    comments: Annotated[
        list[DecisionComment], Field(description='Questions and answers, oldest first.')
    ]
    execution: DecisionExecution | None
    recorded_by_name: Annotated[
        str | None,
        Field(
            alias='recordedByName',
            description='The name of the API key that recorded the decision. Null if no API key recorded it, or if you retrieve it with an API key.',
        ),
    ]
    action_type: Annotated[
        ActionTemplate | None,
        Field(
            alias='actionType',
            description='The template for this action type. Null if there is none.',
        ),
    ]


class DraftPolicy(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    name: Annotated[
        str, Field(description='A name that people recognize the policy by.')
    ]
    description: Annotated[
        str | None, Field(description='What the policy is for. Approvers see it.')
    ] = None
    match: PolicyMatch
    guards: PolicyGuards
    approval: PolicyApproval | None = None
    active: Annotated[
        bool | None,
        Field(
            description='Whether the policy applies. True by default; a policy that is turned off matches nothing.'
        ),
    ] = None


class FiledPolicy(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    name: Annotated[
        str, Field(description='A name that people recognize the policy by.')
    ]
    description: Annotated[
        str | None, Field(description='What the policy is for. Approvers see it.')
    ] = None
    match: PolicyMatch
    guards: PolicyGuards
    active: Annotated[
        bool | None,
        Field(
            description='Whether the policy applies. True by default; a policy that is turned off matches nothing.'
        ),
    ] = None
    approval: FiledPolicyApproval | None = None


class PolicyCheck(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    outcome: CheckOutcome
    refusal: CheckedRefusal | None
    policies: Annotated[
        list[CheckedPolicy], Field(description='The policies that match.')
    ]
    approval: Annotated[
        CheckedApproval | None,
        Field(
            description='The approval that would be required. Null if none would be.'
        ),
    ]


class PolicyDraft(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    policy_id: Annotated[
        str | None,
        Field(
            alias='policyId',
            description="The center's policy that the draft would replace. Omit this for a new policy.",
        ),
    ] = None
    policy: DraftPolicy


class PolicyFile(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    version: Annotated[int, Field(description='The version of this format.')]
    policies: Annotated[
        list[FiledPolicy],
        Field(
            description="All policies of the center's own, each under its own name. A policy that isn't here is deleted."
        ),
    ]
    action_types: Annotated[
        list[FiledActionType] | None,
        Field(
            alias='actionTypes',
            description="All action types that the center has a template for. One that isn't here is deleted. Without this member, action types stay as they are.",
        ),
    ] = None
    tests: Annotated[
        list[PolicyTest] | None,
        Field(
            description='Decisions and what the policies of this file must say about them. If one fails, nothing changes.'
        ),
    ] = None


class PolicyCheckRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    agent: Agent
    action: Annotated[
        EventAction, Field(description='What was decided, or what is to be done.')
    ]
    ai_context: Annotated[AiContext | None, Field(alias='aiContext')] = None
    risk_score: Annotated[
        float | None,
        Field(
            alias='riskScore',
            description='Your own estimate of the risk, from 0 to 1. If absent, every `riskThreshold` counts as exceeded.',
        ),
    ] = None
    reason: Annotated[
        str | None,
        Field(
            description="Why the action is needed, in the requester's words. Approvers read it."
        ),
    ] = None
    tags: Annotated[
        list[str] | None,
        Field(
            description='Words to file the decision under. Policies can match tags, and you can filter lists by a tag.'
        ),
    ] = None
    replaces: Annotated[
        str | None,
        Field(
            description='The ID of a decision by the same actor that is still waiting. That decision is refused with the reason `replaced`, and the new decision takes its place.'
        ),
    ] = None
    draft: PolicyDraft | None = None


class PolicyExport(BaseModel):
    model_config = ConfigDict(
        extra='allow',
        populate_by_name=True,
    )
    revision: Annotated[
        str,
        Field(
            description='Identifies the state of the policies, action types and groups. It changes with every change to one of them.'
        ),
    ]
    file: Annotated[
        PolicyFile, Field(description='What `PUT /api/policies/import` accepts.')
    ]
    yaml: Annotated[
        str, Field(description='The same file as YAML, with its revision in a comment.')
    ]
