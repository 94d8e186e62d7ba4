/* A part of a model: neither tool takes it. */
inline nothing() { skip }
